/** The target of a request as logs show it: its path, and of its query only what the API itself asks for. */
import type { ApiRequest } from '../request/api-request.js';

/** Options of the API, none of which is secret. All others may be: clients put tokens into queries. */
const shownOptions: ReadonlySet<string> = new Set([
  'allowWatchBookmarks',
  'dryRun',
  'fieldManager',
  'fieldSelector',
  'fieldValidation',
  'force',
  'gracePeriodSeconds',
  'labelSelector',
  'limit',
  'orphanDependents',
  'pretty',
  'propagationPolicy',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeout',
  'timeoutSeconds',
  'verbose',
  'watch',
]);

/** The path as it was sent, and those options; `…` stands for what is left out. */
export function shownTarget({ path, search }: Pick<ApiRequest, 'path' | 'search'>): string {
  if (search === '') return printable(path);
  const parts = search.split('&').filter((part) => part !== '');
  const shown = parts.filter((part) => shownOptions.has(part.split('=', 1)[0] ?? ''));
  return printable(`${path}?${[...shown, ...(shown.length < parts.length ? ['…'] : [])].join('&')}`);
}

/** Control characters would make lines that nobody has written. */
const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  text.replaceAll(/[\u0000-\u001f\u007f]/g, (character) => encodeURIComponent(character));
