//! `docs/supply-chain.md` lists the direct dependencies of the published packages, as their manifests write them.

use std::{collections::BTreeSet, fs};

use crate::source::root;

/// The published packages by their names in the table, with their manifests.
const PACKAGES: [(&str, &str); 7] = [
    ("library", "Cargo.toml"),
    ("draw", "crates/draw/Cargo.toml"),
    ("scene", "crates/scene/Cargo.toml"),
    ("lockstep", "crates/lockstep/Cargo.toml"),
    ("program", "crates/program/Cargo.toml"),
    ("rollback", "crates/rollback/Cargo.toml"),
    ("bevy", "crates/bevy/Cargo.toml"),
];

/// Package, crate, version and features, each as the table writes it.
type Dependency = [String; 4];

/// The dependencies of a manifest, also those of some targets only, but for packages of this repository.
fn of_manifest(package: &str, text: &str) -> Vec<Dependency> {
    let mut is_wanted = false;
    let lines = text.lines().filter(|line| {
        if line.starts_with('[') {
            is_wanted =
                *line == "[dependencies]" || line.starts_with("[target.") && line.ends_with(".dependencies]");
        }
        is_wanted && !line.starts_with(['[', '#'])
    });
    let pairs = lines.filter_map(|line| line.split_once(" = "));
    let foreign = pairs.filter(|(name, _)| !name.starts_with("bitstep"));
    foreign.map(|(name, value)| [package.into(), name.into(), version(value), features(value)]).collect()
}

/// The first text in quotes, which is the version in all manifests.
fn version(value: &str) -> String {
    value.split('"').nth(1).unwrap_or_default().to_owned()
}

/// The features of a dependency in the words of the table.
fn features(value: &str) -> String {
    let is_default = !value.contains("default-features = false");
    let mut words: Vec<String> =
        value.contains("optional = true").then(|| "optional".to_owned()).into_iter().collect();
    words.push(if is_default { "default" } else { "no default" }.to_owned());
    let list = value.split_once("features = [").and_then(|(_, rest)| rest.split_once(']'));
    let named = list.into_iter().flat_map(|(names, _)| names.split('"').skip(1).step_by(2));
    words.extend(named.map(|name| format!("`{name}`")));
    words.join(", ")
}

/// The dependencies in the table of the page, a row for each crate.
fn of_page(text: &str) -> Vec<Dependency> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    let dependencies = cells.flat_map(|cells| {
        let [name, version] = [1, 3].map(|at| cells[at].trim_matches('`').to_owned());
        let features = cells[4].to_owned();
        let packages: Vec<_> = cells[2].split(", ").map(str::to_owned).collect();
        packages.into_iter().map(move |package| [package, name.clone(), version.clone(), features.clone()])
    });
    dependencies.collect()
}

/// The difference between the manifests and the page.
fn complaints(manifests: &[Dependency], page: &[Dependency]) -> Vec<String> {
    let [wanted, listed] = [manifests, page].map(|list| list.iter().collect::<BTreeSet<_>>());
    let say = |[package, name, version, features]: &Dependency| {
        format!("{package} asks for {name} {version} ({features})")
    };
    let missing = wanted.difference(&listed).map(|one| format!("not in the table: {}", say(one)));
    let excess = listed.difference(&wanted).map(|one| format!("in no manifest: {}", say(one)));
    let mut found: Vec<_> = missing.chain(excess).collect();
    if page.len() != listed.len() {
        found.push("a row stands twice".to_owned());
    }
    found
}

#[test]
fn the_table_lists_the_dependencies_of_the_manifests() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect(path);
    let manifests: Vec<_> =
        PACKAGES.iter().flat_map(|(package, path)| of_manifest(package, &read(path))).collect();
    assert!(manifests.len() > 20, "{manifests:?}");
    let found = complaints(&manifests, &of_page(&read("docs/supply-chain.md")));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_rule_notices_what_is_missing_and_what_is_too_much() {
    let manifest = "[dependencies]\na = \"1.2\"\n# Not this.\nbitstep = { version = \"0.1.0\" }\n\
        b = { version = \"=2.0\", default-features = false, features = [\"x\", \"y\"] }\n\
        c = { version = \"3\", optional = true }\n\n[dev-dependencies]\nd = \"4\"\n\n\
        [target.'cfg(unix)'.dependencies]\ne = \"5\"\n\n[target.'cfg(unix)'.dev-dependencies]\nf = \"6\"\n";
    let manifests = of_manifest("library", manifest);
    let page = "| crate | packages |\n| `a` | library | `1.2` | default | why |\n\
        | `b` | library | `=2.0` | no default, `x`, `y` | why |\n\
        | `c` | library | `3` | optional, default | why |\n\
        | `e` | library | `5` | default | why |\n";
    let count = |page: &str| complaints(&manifests, &of_page(page)).len();
    assert_eq!(complaints(&manifests, &of_page(page)), [""; 0]);
    assert_eq!(count(&page.replace("| `a` | library | `1.2` | default | why |\n", "")), 1);
    assert_eq!(count(&format!("{page}| `d` | library | `4` | default | why |\n")), 1);
    assert_eq!(count(&format!("{page}| `a` | library | `1.2` | default | why |\n")), 1, "twice");
    assert_eq!(count(&page.replace("`a` | library |", "`a` | library, scene |")), 1);
    assert_eq!(count(&page.replace("`=2.0`", "`2.0`")), 2);
    assert_eq!(count(&page.replace("`x`, `y`", "`x`")), 2);
    assert_eq!(count(&page.replace("no default", "default")), 2);
    assert_eq!(count(&page.replace("optional, default", "default")), 2);
}
