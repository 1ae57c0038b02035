/**
 * Splits the statements of objects with very many fields over functions: TypeScript does not follow a function of any
 * size.
 */
import type { FunctionCode } from './definitions.js';
import type { ModuleCode } from './module-code.js';

/** Lines that one function may have of them. */
const MOST_LINES = 400;

/**
 * The statements of the fields of an object, those of each field together; where they are too many, calls of functions
 * that have them. They need nothing but the parameters; with `returns`, they may return something to be returned.
 */
export function inParts(
  code: ModuleCode,
  fields: readonly (readonly string[])[],
  whole: Pick<FunctionCode, 'name' | 'parameters'> & { readonly returns?: string },
): string[] {
  if (fields.reduce((sum, lines) => sum + lines.length, 0) <= MOST_LINES) return fields.flat();
  const parts: string[][] = [];
  let part: string[] | undefined;
  for (const lines of fields) {
    if (part === undefined || part.length + lines.length > MOST_LINES) {
      part = [];
      parts.push(part);
    }
    part.push(...lines);
  }
  const given = whole.parameters.map(([parameter]) => parameter).join(', ');
  if (whole.returns === undefined) {
    return parts.map((body) => `${code.define({ ...whole, returns: 'void', body })}(${given});`);
  }
  const { returns } = whole;
  return parts.flatMap((lines) => {
    const name = code.define({ ...whole, returns, body: [...lines, 'return undefined;'] });
    return ['{', `  const found = ${name}(${given});`, '  if (found !== undefined) return found;', '}'];
  });
}
