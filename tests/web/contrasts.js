() => {
  // Find the texts with a contrast below 4.5, each as [text, contrast, element].
  const LEAST = 4.5;
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = ([red, green, blue, alpha], below) =>
    [red, green, blue].map((part, n) => part * alpha + below[n] * (1 - alpha));
  const background = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
      layers.push(rgba(getComputedStyle(each).backgroundColor));
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const luminance = (color) => {
    const [red, green, blue] = color.map((part) => linear(part / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const found = [];
  const check = (element, text, color, below) => {
    const value = contrast(over(rgba(color), below), below);
    if (value < LEAST) found.push([text, value.toFixed(2), element.outerHTML.slice(0, 120)]);
  };
  for (const element of document.querySelectorAll("body *:not(svg, svg *, option)")) {
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const text = own.map((node) => node.data.trim()).join("");
    if (!text || !element.checkVisibility() || element.closest(".unseen, .skip")) continue;
    check(element, text, getComputedStyle(element).color, background(element));
  }
  for (const text of document.querySelectorAll(".peg text")) {
    const svg = text.closest("svg");
    if (!svg.checkVisibility()) continue;
    const { fill } = getComputedStyle(svg.querySelector("circle, rect, path"));
    const below = fill === "none" ? background(svg) : over(rgba(fill), background(svg));
    check(text, text.textContent, getComputedStyle(text).fill, below);
  }
  return found;
}
