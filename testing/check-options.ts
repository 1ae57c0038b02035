/** Refuses unknown options of a test server. Without this check, they would have no effect. */
import { isObject } from '../runtime/objects/guards.js';
import { didYouMean } from '../runtime/objects/suggest.js';
import { OptionError } from '../server/index.js';
import type { KnownOptions } from './known-options.js';

/** The options of `startServer` that a test server sets itself, and how. */
const decided: Readonly<Record<string, string>> = {
  bootstrapped: 'it knows what its store holds',
  clock: 'its clock is `server.clock`, and `frozenAt` stops it',
  credentials: 'the kubeconfig of a user is in `kubeconfigFile()`',
  door: 'requests go wrong by `server.faults`',
  http: 'it listens on a free port of 127.0.0.1',
  schemas: 'folders of definitions go into `definitions`',
  storage: 'objects are in memory',
};

/**
 * Throws an `OptionError` for an unknown option, with a hint at a similar option. Ignores options that are undefined.
 * @param owner the function that takes the options
 */
export function checkOptions(owner: string, options: object, known: KnownOptions): void {
  checkWithin('', options, known, (path, near) => {
    const own = Object.hasOwn(decided, path) && owner === 'startTestServer' ? decided[path] : undefined;
    const text = `${owner} has no option \`${path}\`${own === undefined ? `; ${near}` : `: ${own}`}`;
    throw new OptionError(() => text);
  });
}

/** Checks options within options. @param refuse gets the path of an unknown option, and a hint at the known ones */
function checkWithin(
  prefix: string,
  options: object,
  known: KnownOptions,
  refuse: (path: string, near: string) => never,
  all = known,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const inner = Object.hasOwn(known, name) ? known[name] : undefined;
    if (inner === undefined) refuse(prefix + name, nearTo(name, prefix, known, all));
    else if (inner !== null && isObject(value)) checkWithin(`${prefix}${name}.`, value, inner, refuse, all);
  }
}

/** Returns a hint: the nearest option beside it, one of that name elsewhere, or all options. */
function nearTo(name: string, prefix: string, known: KnownOptions, all: KnownOptions): string {
  const names = Object.keys(known).map((one) => prefix + one);
  const near = didYouMean(name, Object.keys(known))?.replace('`', `\`${prefix}`);
  const elsewhere = placesOf(name, '', all);
  if (near !== undefined) return near;
  return elsewhere.length > 0 ? `did you mean \`${elsewhere.join('` or `')}\`?` : `there are ${names.join(', ')}`;
}

/** Returns the paths of all options with a name. */
function placesOf(name: string, prefix: string, known: KnownOptions): readonly string[] {
  return Object.entries(known).flatMap(([one, inner]) => [
    ...(one === name ? [prefix + one] : []),
    ...(inner === null ? [] : placesOf(name, `${prefix}${one}.`, inner)),
  ]);
}
