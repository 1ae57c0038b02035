/** Reads the plain scalars of manifests as API servers do: by YAML 1.1, dates as text, large integers as `bigint`. */
import { boolYaml11Tag, CORE_SCHEMA, defineScalarTag, mergeTag, NOT_RESOLVED, type Schema } from 'js-yaml';

const integer = /^([-+]?)(?:0[xX]([\da-fA-F]+)|0[oO]([0-7]+)|0[bB]([01]+)|0([0-7]+)|(0|[1-9]\d*))$/;

/** Reads decimal, `0x`, `0o`, `0b` and, with a leading zero, octal integers. */
function readInteger(source: string): number | bigint | typeof NOT_RESOLVED {
  const match = integer.exec(source.replaceAll('_', ''));
  if (match === null) return NOT_RESOLVED;
  const [, sign, hex, octal, binary, oldOctal, decimal = '0'] = match;
  const prefix = hex ? '0x' : (octal ?? oldOctal) ? '0o' : binary ? '0b' : '';
  const magnitude = BigInt(prefix + (hex ?? octal ?? oldOctal ?? binary ?? decimal));
  const value = sign === '-' ? -magnitude : magnitude;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

const integerTag = defineScalarTag<number | bigint>('tag:yaml.org,2002:int', {
  implicit: true,
  implicitFirstChars: [...'-+0123456789'],
  resolve: readInteger,
  identify: (data) => typeof data === 'bigint' || Number.isInteger(data),
});

export const manifestSchema: Schema = CORE_SCHEMA.withTags(boolYaml11Tag, mergeTag, integerTag);
