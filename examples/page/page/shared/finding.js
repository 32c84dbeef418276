// What two peers found: tick, phase, body, field, both values, and where the hashes of phases diverge.

// The lines of the module as an object; `of` has a row for each phase.
function findingOf(lines) {
  const finding = { of: [], note: [] };
  for (const [word, ...rest] of lines) {
    if (word === "of") finding.of.push(rest);
    else if (word === "note") finding.note.push(rest.join(" "));
    else finding[word] = rest.join(" ");
  }
  return finding;
}

// `whose` names the body for people.
function showFinding(finding, other, whose = finding.body) {
  element("finding-head").textContent = `The peers diverge in tick ${finding.tick}`;
  const bits = finding.turned === undefined ? null : BigInt(`0x${finding.turned.replace("-", "")}`).toString(2).replaceAll("0", "").length;
  const facts = [
    ["tick", finding.tick], ["after phase", finding.phase], ["body", whose], ["field", finding.field],
    ["peer 1 has", finding.left], ["peer 2 has", finding.right],
    ["bits that differ", bits === null ? undefined : `${bits}`],
    ["verdict", finding.verdict], ["played again", finding.rerun], ["why", finding.reason],
    ["the other says", other.tick === finding.tick && other.field === finding.field && other.phase === finding.phase ? "the same" : `tick ${other.tick}, ${other.phase}, ${other.field}`],
  ];
  const list = element("finding-facts");
  list.replaceChildren();
  for (const [name, fact] of facts) {
    if (fact === undefined) continue;
    const value = made("dd");
    value.append(["after phase", "body", "field", "tick"].includes(name) ? made("mark", fact) : fact);
    list.append(made("dt", name), value);
  }
  const table = element("phases");
  table.replaceChildren();
  const first = finding.of.findIndex(([, a, b]) => a !== b);
  finding.of.forEach(([name, a, b], index) => {
    const row = made("tr", undefined, { className: `${a === b ? "same" : "wrong"}${index === first ? " first" : ""}` });
    row.append(...[name, a].map((text) => made("td", text)), made("td"), made("td", b));
    row.children[2].append(made("i", a === b ? "=" : "≠"));
    table.append(row);
  });
}
