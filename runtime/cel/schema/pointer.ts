/** JSON pointers (RFC 6901) to parts of schemas. */

/** The pointer to what a step leads to from another one; the whole schema's is empty. */
export function pointerBelow(pointer: string, ...steps: readonly string[]): string {
  return steps.reduce((path, step) => `${path}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`, pointer);
}
