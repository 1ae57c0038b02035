/** Names of generated functions and constants, made from the names of fields. */

/** `max-surge` → `MaxSurge`. Letters and digits of ASCII only; `Value` where nothing is left. */
export function pascal(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return joined === '' ? 'Value' : joined;
}

/** The same as the beginning of a constant's name: `MaxSurge` → `maxSurge`, `2FA` → `value2FA`. */
export function camel(name: string): string {
  return /^\d/.test(name) ? `value${name}` : name.charAt(0).toLowerCase() + name.slice(1);
}

/**
 * Returns the name for one item of a list: `Containers` → `Container`, `Policies` → `Policy`, `Addresses` →
 * `Address`.
 */
export function singular(name: string): string {
  if (/[^aeiou]ies$/.test(name)) return `${name.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x)es$/.test(name)) return name.slice(0, -2);
  if (/[^su]s$/.test(name) && name.length > 2) return name.slice(0, -1);
  return `${name}Item`;
}

/**
 * A name with that of the function that calls it: `pruneConditions` by `pruneJobStatus` → `pruneJobStatusConditions`.
 */
export function qualified(name: string, caller: string | undefined): string {
  const [, verb = '', what = ''] = /^([a-z0-9]+)(.*)$/s.exec(name) ?? [];
  const of = /^[a-z0-9]+(.+)$/s.exec(caller ?? '')?.[1] ?? '';
  return what === '' ? name : `${verb}${of}${what}`;
}

/** Hands out names; a name that is taken becomes another, or gets a number where that is taken too. */
export class NameTable {
  private readonly taken = new Map<string, number>();

  take(wanted: string, otherwise: () => string = () => wanted): string {
    const other = this.taken.has(wanted) ? otherwise() : wanted;
    const used = this.taken.get(other) ?? 0;
    this.taken.set(other, used + 1);
    return used === 0 ? other : this.take(`${other}${used + 1}`);
  }
}
