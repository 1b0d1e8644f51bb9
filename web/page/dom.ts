// Elements of the page, made in one expression.

type Child = Node | string | null | undefined | false;
type Handlers = { [K in keyof HTMLElementEventMap as `on${K}`]?: (event: HTMLElementEventMap[K]) => void };
type Properties = Handlers & { class?: string; title?: string; [attribute: string]: unknown };

// Makes an element. Properties "on..." are event handlers, all others attributes; false and null
// leave one out.
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

// A section that opens and closes, and remembers it.
export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  const key = `section:${title}`;
  const remembered = recall(key);
  const element = h(
    "details",
    { class: "section" },
    h("summary", {}, title),
    h("div", { class: "content" }, ...children),
  );
  element.open = remembered === null ? open : remembered === "1";
  element.addEventListener("toggle", () => remember(key, element.open ? "1" : "0"));
  return element;
}

// Stores a setting. Pages without an origin have no storage.
export function remember(key: string, value: string) {
  try {
    localStorage.setItem(`condyle:${key}`, value);
  } catch {
    // nothing is remembered then
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`condyle:${key}`);
  } catch {
    return null;
  }
}

// The last part of a path.
export function plainName(path: string): string {
  return path.split(/[/\\]/).pop() || path;
}

// A number in few characters.
export function short(x: number): string {
  return !Number.isFinite(x)
    ? String(x)
    : x === 0
      ? "0"
      : Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3
        ? x.toExponential(2)
        : Number(x.toPrecision(4)).toString();
}
