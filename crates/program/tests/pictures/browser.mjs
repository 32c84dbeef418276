// A headless Chromium, driven through a pipe by the DevTools protocol; nothing but what Node has.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
  "--hide-scrollbars", "--mute-audio", "--no-first-run", "--disable-extensions", "--disable-background-networking",
  "--remote-debugging-pipe",
];

export class Browser {
  static async open({ width = 1280, height = 800, dark = false } = {}) {
    const browser = new Browser();
    browser.home = mkdtempSync(join(tmpdir(), "bitstep-pictures-"));
    const flags = [...FLAGS, `--user-data-dir=${browser.home}`, `--window-size=${width},${height}`, "about:blank"];
    const program = process.env.CHROMIUM ?? "chromium";
    browser.child = spawn(program, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    browser.exited = new Promise((resolve, reject) => {
      browser.child.on("exit", resolve);
      browser.child.on("error", reject);
    });
    browser.listen();
    const { targetInfos } = await browser.send("Target.getTargets");
    const { targetId } = targetInfos.find(({ type }) => type === "page");
    ({ sessionId: browser.session } = await browser.send("Target.attachToTarget", { targetId, flatten: true }));
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await browser.send(`${domain}.enable`);
    await browser.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    const scheme = { name: "prefers-color-scheme", value: dark ? "dark" : "light" };
    await browser.send("Emulation.setEmulatedMedia", { features: [scheme] });
    return browser;
  }

  listen() {
    this.waiting = new Map();
    this.last = 0;
    // What the page complained of, and what it asked a network for.
    this.complaints = [];
    this.requests = [];
    this.dialogs = [];
    let rest = "";
    this.child.stdio[4].setEncoding("utf8").on("data", (text) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop();
      for (const message of messages) this.take(JSON.parse(message));
    });
  }

  take({ id, result, error, method, params }) {
    if (id !== undefined) {
      const { resolve, reject } = this.waiting.get(id);
      this.waiting.delete(id);
      if (error) reject(new Error(error.message));
      else resolve(result);
      return;
    }
    if (method === "Runtime.exceptionThrown") this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(params.type)) {
      this.complaints.push(params.args.map(({ value, description }) => value ?? description).join(" "));
    }
    if (method === "Log.entryAdded" && params.entry.level === "error") this.complaints.push(params.entry.text);
    if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
    if (method === "Page.javascriptDialogOpening") {
      this.dialogs.push(params.message);
      this.send("Page.handleJavaScriptDialog", { accept: false });
    }
  }

  send(method, params = {}) {
    const id = ++this.last;
    const message = { id, method, params, ...(this.session ? { sessionId: this.session } : {}) };
    this.child.stdio[3].write(JSON.stringify(message) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  // Opens a page of this machine and waits until it shows something.
  async show(url) {
    await this.send("Page.navigate", { url: "about:blank" });
    await this.send("Page.navigate", { url });
    await this.until("window.bitstep?.ready || document.getElementById('message')?.textContent.includes('cannot')");
  }

  // The value of an expression in the page.
  async ask(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression, returnByValue: true, awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async until(expression, seconds = 60) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
      if (await this.ask(expression)) return;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    throw new Error(`not within ${seconds} s: ${expression}`);
  }

  async picture(format = "png") {
    // Two pictures on, whatever was asked for is drawn.
    await this.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
    const { data } = await this.send("Page.captureScreenshot", { format });
    return Buffer.from(data, "base64");
  }

  async key(key) {
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, text: key.length === 1 ? key : undefined });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key });
  }

  async mouse(type, x, y, buttons = 0) {
    await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons, clickCount: 1 });
  }

  async close() {
    await this.send("Browser.close").catch(() => {});
    await this.exited;
    rmSync(this.home, { recursive: true, force: true });
  }
}
