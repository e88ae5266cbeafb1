// Shows pages in a browser that sees no network. Reads lines {"do", …} and answers each with
// {"result"} or {"error"}; the verbs stand below. Usage: node browse.mjs PATH_OF_CHROMIUM
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

// As root, which containers often are, Chromium has no sandbox to start.
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = await chromium.launch({ executablePath: process.argv[2], args: sandbox });
let context;
let page;
// What a page did that it should not: other addresses, errors, dialogs.
let troubles;

const verbs = {
  // A new window of this width on a page, in the light or in the dark.
  async open({ url, width, scheme = "light", script = true }) {
    await context?.close();
    troubles = [];
    context = await browser.newContext({
      viewport: { width, height: 844 }, colorScheme: scheme, javaScriptEnabled: script, offline: true,
    });
    page = await context.newPage();
    page.on("request", (request) => {
      if (!request.url().startsWith(url.split("#")[0]) && !request.url().startsWith("data:")) {
        troubles.push(`asked for ${request.url()}`);
      }
    });
    page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
    page.on("console", (message) => troubles.push(`console: ${message.text()}`));
    page.on("dialog", (dialog) => { troubles.push("dialog"); dialog.dismiss(); });
    await page.addInitScript(() => {
      window.shifts = 0;
      new PerformanceObserver((list) => {
        for (const shift of list.getEntries()) window.shifts += shift.value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(url);
  },
  evaluate: ({ script, given }) => page.evaluate(`(${script})(${JSON.stringify(given ?? null)})`),
  text: ({ selector }) => page.locator(selector).first().innerText(),
  visible: ({ selector }) => page.locator(selector).locator("visible=true").count(),
  click: ({ selector }) => page.locator(selector).first().click(),
  wait: async ({ selector, text }) => {
    await page.locator(selector).filter({ hasText: text }).first().waitFor({ timeout: 10_000 });
  },
  fill: ({ selector, value }) => page.fill(selector, value),
  select: async ({ selector, value }) => { await page.selectOption(selector, value); },
  press: ({ key }) => page.keyboard.press(key),
  print: () => page.emulateMedia({ media: "print" }),
  screenshot: async ({ path }) => { await page.screenshot({ path }); },
  troubles: () => troubles,
};

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { do: verb, ...given } = JSON.parse(line);
  let answer;
  try {
    answer = { result: (await verbs[verb](given)) ?? null };
  } catch (error) {
    answer = { error: error.message };
  }
  console.log(JSON.stringify(answer));
}
await browser.close();
