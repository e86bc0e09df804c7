// The button in the footer that switches between the themes: that of the system, light and dark.

import { keep, recall } from "./core/storage.js";
import { html, View } from "./view.js";

const THEMES = ["auto", "light", "dark"];

class ThemeChoice extends View {
  static stores = [];
  theme = THEMES.find((theme) => theme === recall("localStorage", "theme")) ?? "auto";

  // Switch to the next theme.
  cycle() {
    this.theme = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length];
    keep("localStorage", "theme", this.theme);
    this.update();
  }

  update() {
    if (this.theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.theme;
    super.update();
  }

  view() {
    return html`<button type="button" class="quiet" @click=${() => this.cycle()}>Theme: ${this.theme}</button>`;
  }
}

customElements.define("theme-choice", ThemeChoice);
