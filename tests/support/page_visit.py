"""A visit of the page in a browser: actions of a user, and all errors that occurred."""

CHROMIUM = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Options of the browser."""
DESKTOP = {"viewport": {"width": 1400, "height": 900}}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LINE = "4x6/1122=1.1/3345=0.2"
SLIPPED = "4x6/1122=1.1/3345=0.2/1122=0.2"
LISTEN = """() => {
  window.heard = [];
  const watch = new MutationObserver(records => {
    for (const { target } of records) {
      const element = target.nodeType === 1 ? target : target.parentElement;
      const region = element?.closest('[role=status], [role=alert], [aria-live]');
      if (region?.textContent.trim()) window.heard.push(region.textContent.trim());
    }
  });
  watch.observe(document.body, { childList: true, characterData: true, subtree: true });
}"""
"""Collects the texts of live regions in `window.heard`."""

HOLD = """question => {
  const original = window.fetch;
  const isReleased = new Promise(resolve => { window.release = resolve; });
  window.fetch = async (address, options) => {
    const response = await original(address, options);
    if (!String(address).endsWith(`api/${question}`)) return response;
    let text = "";
    const hold = new TransformStream({
      async transform(chunk, output) {
        text += chunk;
        const start = text.indexOf("event: answer");
        output.enqueue(start < 0 ? text : text.slice(0, start));
        text = start < 0 ? "" : text.slice(start);
        if (start >= 0) await isReleased;
      },
      flush: output => output.enqueue(text),
    });
    const body = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(hold);
    return new Response(body.pipeThrough(new TextEncoderStream()), response);
  };
}"""
"""Holds back the answers to a question, but not its partial results, until `window.release()`."""


SAY = """elements => elements.map(element => {
  const copy = element.cloneNode(true);
  for (const image of copy.querySelectorAll("[role=img]"))
    image.replaceWith(image.getAttribute("aria-label"));
  return copy.textContent.replace(/\\s+/g, " ").trim();
})"""
"""Returns the texts of elements in which drawings are replaced by their names."""


class Visit:
    """A page in a browser, with actions of a user, and the errors that occurred in it."""

    def __init__(self, page, address):
        self.page, self.address, self.errors = page, address, []
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda item: item.type == "error" and self.errors.append(item.text))

    def open(self, line=""):
        """Open the page; `line` is a board line in its address, possibly with settings."""
        self.page.goto(f"{self.address}{line and '#' + line}")
        return self

    def hold(self, question):
        """Hold back the answers to a question from the next page on, until `release`."""
        self.page.add_init_script(f"({HOLD})('{question}')")
        return self

    def release(self):
        self.page.evaluate("() => window.release()")
        return self

    def wait_for_verdict(self, pattern):
        self.page.wait_for_function(
            "pattern => new RegExp(pattern).test("
            "document.querySelector('verdict-view').textContent.replace(/\\s+/g, ' '))",
            arg=pattern,
        )

    def said(self, selector):
        """Return the texts of all elements of a selector, with the names of drawings."""
        return self.page.locator(selector).evaluate_all(SAY)

    def line(self):
        """Return the board line that the tab "share" shows."""
        return " ".join(self.page.inner_text(".board-line").split())

    def menu(self):
        """Open the menu of the game."""
        menu = self.page.locator(".game-menu")
        if menu.get_attribute("open") is None:
            menu.locator("summary").click()
        return self

    def choose_game(self, name):
        """Choose a game in the menu, and wait until the menu has closed again."""
        self.menu().page.select_option("#game", name)
        self.page.wait_for_selector(".game-menu:not([open])")
        return self

    def change_row(self, number, action):
        """Choose an action such as "Ignore" in the menu of a row."""
        self.page.click(f"[aria-label='Change row {number}']")
        self.page.click(f"[aria-label^='{action} '][aria-label$='row {number}']")
        return self

    def hit(self, selector):
        """Tap an element on a phone, click it on a desktop."""
        locator = self.page.locator(selector).first
        touches = self.page.evaluate("navigator.maxTouchPoints > 0")
        (locator.tap if touches else locator.click)()
        return self

    def tab(self, name):
        """Open a tab of the analysis, such as "why"."""
        self.page.click(f"#tab-{name}")
        return self

    def screen(self, name):
        """Show a screen: "board" or "play"."""
        self.page.click(f".screens [data-screen={name}]")
        return self

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
