// Settings and the running game, kept by the browser. Everything works without, if it is blocked.

const attempt = (action) => {
  try {
    return action();
  } catch {
    return null;
  }
};

export const recall = (area, key) => attempt(() => JSON.parse(window[area].getItem(key)));

export const keep = (area, key, value) =>
  attempt(() => (value === null ? window[area].removeItem(key) : window[area].setItem(key, JSON.stringify(value))));
