/** Copies JSON values. */

/** Copies a value with everything in it, at any depth. */
export function copyOf<T>(value: T): T {
  const whole = { value };
  const waiting: object[] = [whole];
  for (const container of waiting) {
    for (const [key, held] of Object.entries(container)) {
      if (typeof held !== 'object' || held === null) continue;
      const copy = Array.isArray(held) ? [...held] : { ...held };
      Object.defineProperty(container, key, { value: copy, enumerable: true, configurable: true, writable: true });
      waiting.push(copy);
    }
  }
  return whole.value;
}
