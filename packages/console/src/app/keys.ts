/** Runs the actions of the present page, and jumps to pages, by their keys. */
import { actions } from './actions.svelte.js';
import { createHref } from './addresses.js';
import { href, router } from './router.svelte.js';

/** The pages to jump to, by two keys, one after the other. */
export const jumps = [
  { keys: 'g h', label: 'Home', address: href() },
  { keys: 'g c', label: 'Create', address: createHref() },
  { keys: 'g d', label: 'Definitions', address: href('definitions') },
  { keys: 'g a', label: 'Access', address: href('access') },
] as const;

/** The longest time between the two keys, milliseconds. */
const secondKeyMs = 1_500;

let first: { readonly key: string; readonly at: number } | undefined;

/** Runs the action of a pressed key, unless the key goes to a field or to a dialog. */
export function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event)) return;
  const isSecond = first !== undefined && event.timeStamp - first.at < secondKeyMs;
  const pressed = isSecond ? `${first?.key} ${event.key}` : event.key;
  first = undefined;
  const jump = jumps.find(({ keys }) => keys === pressed);
  const action = actions.list.find(({ keys }) => keys === pressed);
  if (!jump && !action) {
    if (!isSecond && jumps.some(({ keys }) => keys.startsWith(`${pressed} `)))
      first = { key: pressed, at: event.timeStamp };
    return;
  }
  event.preventDefault();
  if (action) action.run();
  else if (jump) router.go(jump.address);
}

/** Returns whether a key goes to a field, even in a shadow root, or to a dialog. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  if (document.querySelector('dialog[open]') !== null) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input:not([type=checkbox]), textarea, select, [role="menu"]') !== null)
  );
}

/** Focuses the filter of the page, or without one the filter of the kinds at the left. */
export function focusFilter(): void {
  const fields = ['main', 'aside'].flatMap((place) =>
    ['[role="search"] input', 'input[type="search"]', 'input[placeholder^="Find"]', 'input[placeholder^="Filter"]'].map(
      (field) => document.querySelector<HTMLInputElement>(`${place} ${field}`),
    ),
  );
  const field = fields.find((one) => one?.checkVisibility() ?? false);
  field?.focus();
  field?.select();
}
