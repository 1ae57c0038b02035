import { describe, expect, it } from 'vitest';
import { configurationSchema } from '../../../../plugins/kit.js';

const { checked, fields, list, mapping, oneOf, optional, text, truth, whole } = configurationSchema;

const limit = fields({
  type: oneOf('Server', 'Namespace'),
  qps: whole({ least: 1, most: 100 }),
  burst: optional(whole(), 5),
});
const schema = fields({
  limits: list(limit),
  names: mapping(text),
  strict: optional(truth, false),
  size: optional(
    checked(whole(), (size, path, refuse) => {
      if (size % 2 === 1) refuse(path, `${size} is odd`);
    }),
    undefined,
  ),
});

function read(value: unknown): { readonly value?: unknown; readonly problems: readonly string[] } {
  const problems: string[] = [];
  const done = schema(value, [], (path, problem, at = 'value') => problems.push(`${path.join('/')} ${at}: ${problem}`));
  expect(done === undefined).toBe(problems.length > 0);
  return { ...done, problems };
}

describe('a schema', () => {
  it('reads values with their types, and fills in defaults', () => {
    const { value } = read({ limits: [{ type: 'Server', qps: 2n }], names: { a: 'b' }, size: 4 });
    expect(value).toEqual({
      limits: [{ type: 'Server', qps: 2, burst: 5 }],
      names: new Map([['a', 'b']]),
      strict: false,
      size: 4,
    });
    expect(read({}).value).toEqual({ limits: [], names: new Map(), strict: false, size: undefined });
    expect(read({ limits: null, strict: null }).value).toMatchObject({ limits: [], strict: false });
  });

  it.each<[unknown, string]>([
    ['x', ' value: "x" is not a mapping'],
    [{ limit: [] }, 'limit key: unknown field; did you mean `limits`?'],
    [{ zzz: 1 }, 'zzz key: unknown field; use limits, names, strict, size'],
    [{ limits: {} }, 'limits value: this is not a list'],
    [{ limits: [{ type: 'Sever', qps: 1 }] }, 'limits/0/type value: "Sever" is unknown; did you mean `Server`?'],
    [{ limits: [{ type: 1, qps: 1 }] }, 'limits/0/type value: 1 is not one of Server, Namespace'],
    [{ limits: [{ type: 'Server' }] }, 'limits/0/qps value: missing; give a whole number'],
    [{ limits: [{ type: 'Server', qps: 0 }] }, 'limits/0/qps value: 0 is less than 1'],
    [{ limits: [{ type: 'Server', qps: 101n }] }, 'limits/0/qps value: 101 is more than 100'],
    [{ limits: [{ type: 'Server', qps: 1.5 }] }, 'limits/0/qps value: 1.5 is not a whole number'],
    [{ names: { a: 1 } }, 'names/a value: 1 is not text'],
    [{ names: [] }, 'names value: this is not a mapping'],
    [{ strict: 'yes' }, 'strict value: "yes" is not true or false'],
    [{ size: 3 }, 'size value: 3 is odd'],
  ])('refuses invalid values, %#', (value, problem) => expect(read(value).problems).toEqual([problem]));

  it('reports all mistakes at once', () =>
    expect(read({ limits: [{}, 1], strict: 1, extra: 1 }).problems).toHaveLength(5));
});
