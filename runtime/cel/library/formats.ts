/** Named formats of texts: `format.dns1123Label().validate(text)`. */
import { generateNameStem, nameFormat } from '../../objects/names/names.js';
import { stringFormat } from '../../schema/formats.js';
import { list, opaque, optional, string } from '../check/types.js';
import type { Library } from '../environment.js';
import { type CelValue, none, Opaque, Optional } from '../values/value.js';
import { declare, member, overload } from './declare.js';
import { parseUrl } from './url-text.js';

const typeName = 'kubernetes.NamedFormat';
const format = opaque(typeName);

class NamedFormat extends Opaque {
  readonly typeName = typeName;

  constructor(
    readonly name: string,
    /** Returns the problems of a text. */
    readonly problems: (text: string) => readonly string[],
    override readonly patternSize: number,
  ) {
    super();
  }

  equals(other: CelValue): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

/** Checks a name, or a prefix to which the server adds random characters. */
function named(id: string, prefix = false): NamedFormat['problems'] {
  const check = nameFormat(id);
  return (text) => check?.(prefix ? generateNameStem(text) : text) ?? [];
}

/** Checks a text with the schema format of this id. */
function schemaFormat(id: string, problem: string): NamedFormat['problems'] {
  const check = stringFormat(id);
  return (text) => (check === undefined || check.matches(text) ? [] : [problem]);
}

const uri = (text: string): readonly string[] => {
  const read = parseUrl(text);
  return typeof read === 'string' ? [read] : [];
};

const formats: ReadonlyMap<string, NamedFormat> = new Map(
  (
    [
      ['dns1123Label', named('dns-1123-label'), 30],
      ['dns1123Subdomain', named('dns-1123-subdomain'), 60],
      ['dns1035Label', named('dns-1035-label'), 30],
      ['qualifiedName', named('qualified-name'), 60],
      ['dns1123LabelPrefix', named('dns-1123-label', true), 30],
      ['dns1123SubdomainPrefix', named('dns-1123-subdomain', true), 60],
      ['dns1035LabelPrefix', named('dns-1035-label', true), 30],
      ['labelValue', named('label-value'), 40],
      ['uri', uri, 1103],
      ['uuid', schemaFormat('uuid', 'does not match the UUID format'), 70],
      ['byte', schemaFormat('byte', 'invalid base64'), 84],
      ['date', schemaFormat('date', 'invalid date'), 71],
      ['datetime', schemaFormat('datetime', 'invalid datetime'), 71],
    ] as const
  ).map(([name, problems, size]) => [name, new NamedFormat(name, problems, size)]),
);

function validate({ problems }: NamedFormat, text: string): Optional {
  const found = problems(text);
  return found.length === 0 ? none : new Optional(found);
}

const byName = (name: string): Optional => {
  const found = formats.get(name);
  return found === undefined ? none : new Optional(found);
};

export const formatsLibrary: Library = {
  name: 'formats',
  types: { [typeName]: format },
  functions: [
    ...[...formats].map(([name, value]) =>
      declare(
        `format.${name}`,
        overload(`format_${name}`, [], format, () => value),
      ),
    ),
    declare('format.named', overload('format_named', [string], optional(format), byName)),
    declare('validate', member('format_validate', [format, string], optional(list(string)), validate)),
  ],
};
