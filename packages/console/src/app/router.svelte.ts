/** The address of the page, and how to go to another page. All state that a link should carry is in the address. */

/** The path under which the console is served, with a slash at its end. */
export const base = import.meta.env.BASE_URL;

class Router {
  /** The decoded parts of the path after the base: `['kinds', 'core', 'v1', 'pods']`. */
  parts: readonly string[] = $state.raw(readParts());
  query: URLSearchParams = $state.raw(new URLSearchParams(location.search));

  /**
   * Follows links inside the console, and the browser's back and forward buttons. Returns a function that ends this.
   */
  start(): () => void {
    const onPop = (): void => this.#read();
    window.addEventListener('popstate', onPop);
    document.addEventListener('click', this.#onClick);
    return () => {
      window.removeEventListener('popstate', onPop);
      document.removeEventListener('click', this.#onClick);
    };
  }

  /** Goes to an address that `href` or `withQuery` made. `replace` leaves no entry in the history of the tab. */
  go(address: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    this.#read();
  }

  #read(): void {
    this.parts = readParts();
    this.query = new URLSearchParams(location.search);
  }

  readonly #onClick = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || !link.pathname.startsWith(base)) return;
    event.preventDefault();
    this.go(link.href);
  };
}

export const router = new Router();

/** Returns the address of a page: `href('kinds', 'core', 'v1', 'pods')`. Encodes parts, and leaves out empty values. */
export function href(...parts: readonly (string | Readonly<Record<string, string | undefined>>)[]): string {
  const path = parts
    .filter((part) => typeof part === 'string')
    .map(encodeURIComponent)
    .join('/');
  const query = new URLSearchParams();
  for (const part of parts) {
    if (typeof part === 'string') continue;
    for (const [name, value] of Object.entries(part)) if (value) query.set(name, value);
  }
  const text = query.toString();
  return `${base}${path}${text === '' ? '' : `?${text}`}`;
}

/** Returns the address of this page with other values in its query; a value of `undefined` or `''` removes one. */
export function withQuery(changes: Readonly<Record<string, string | undefined>>): string {
  const query = Object.fromEntries(router.query);
  return href(...router.parts, { ...query, ...changes });
}

function readParts(): readonly string[] {
  const path = location.pathname.startsWith(base) ? location.pathname.slice(base.length) : '';
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
}

/** Decodes a part of a path. Returns an invalid part unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
