/** Makes the names in `.proto` files: packages, messages and fields, from ids and JSON names. */

/** Returns the library of a message id, as in `storage.platform.io/v1`. */
export function libraryOf(id: string): string {
  return id.slice(0, id.indexOf('#/'));
}

/** Returns the package of a library: `storage.platform.io/v1` → `io.platform.storage.v1`. */
export function packageOf(library: string): string {
  const [first = '', ...rest] = library.split('/');
  return [...first.split('.').reverse(), ...rest].map(identifier).join('.');
}

/** Returns a name that protobuf allows: letters, digits and underscores, no digit first. */
function identifier(name: string): string {
  const cleaned = name.replace(/[^A-Za-z0-9_]/g, '_');
  return /^[A-Za-z]/.test(cleaned) ? cleaned : `x${cleaned}`;
}

/**
 * Chooses unique names for the messages of one file. Paths become words (`CSIDriver.spec` → `CSIDriverSpec`). A name
 * that is taken, or reserved for the lists of kinds, gets a number. Names are for readers; nothing on the wire depends
 * on them.
 * @param named - messages with a name of their own, in the order in which they choose.
 */
export function messageNames(
  ids: readonly string[],
  reserved: Iterable<string> = [],
  named: ReadonlyMap<string, string> = new Map(),
): ReadonlyMap<string, string> {
  const taken = new Set<string>(reserved);
  const unnamed = ids.filter((id) => !named.has(id));
  const shortFirst = unnamed.sort((left, right) => left.length - right.length || (left < right ? -1 : 1));
  const byPath = shortFirst.map((id) => {
    const steps = id.slice(id.indexOf('#/') + 2).replaceAll('[]', '.items');
    return [id, claim(steps.split('.').map(pascal).join(''), taken)] as const;
  });
  return new Map([...byPath, ...[...named].map(([id, name]) => [id, claim(name, taken)] as const)]);
}

/** Chooses names for the fields of one message, by their JSON names. */
export function fieldNames(names: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(names.map((name) => [name, claim(identifier(name === '' ? 'items' : name), taken)]));
}

function claim(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`;
  taken.add(free);
  return free;
}

/** Returns a step of an id in Pascal case. */
export function pascal(step: string): string {
  const words = step
    .replaceAll('~1', '.')
    .replaceAll('~0', '~')
    .split(/[^A-Za-z0-9]+/);
  return identifier(words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''));
}
