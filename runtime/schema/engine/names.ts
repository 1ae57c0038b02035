/** Names of types, made from the names of fields. */

/** `max-surge` → `MaxSurge`. Letters and digits of ASCII only; `Value` where nothing is left. */
export function pascal(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return joined === '' ? 'Value' : joined;
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
