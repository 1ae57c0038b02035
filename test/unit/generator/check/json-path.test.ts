import { describe, expect, test } from 'vitest';
import { follow, followObject, parsePath } from '../../../../generator/check/json-path.js';
import type { Schema } from '../../../../runtime/contract/index.js';

const shape = (text: string): string => {
  const parsed = parsePath(text);
  if ('problem' in parsed) return `problem: ${parsed.problem}`;
  return parsed.steps.map((step) => (step.kind === 'field' ? step.name : step.kind)).join(' ');
};

describe('parsePath', () => {
  test.each([
    ['.spec.replicas', 'spec replicas'],
    ['.metadata.labels.app\\.io/name', 'metadata labels app.io/name'],
    ["['spec']['a\\.b']", 'spec a.b'],
    ["['spec']['a.b']", 'spec a b'],
    ['.list[0].x', 'list items x'],
    ['.list[-1]', 'list items'],
    ['.list[1:3:2]', 'list items'],
    ['.list[0,2]', 'list items'],
    ['.list[*].x', 'list items x'],
    ['.status.conditions[?(@.type=="Ready")].status', 'status conditions items status'],
    [".status.conditions[?(@.type == 'a)b')].status", 'status conditions items status'],
    ['.a.*', 'a any'],
    ['..name', 'any'],
    ['.a-b_c/d', 'a-b_c/d'],
  ])('%s', (text, steps) => {
    expect(shape(text)).toBe(steps);
  });

  test.each([
    '',
    'spec',
    '.',
    '.a.',
    '.a..',
    '.a[',
    '.a]',
    '.a[b]',
    '.a[?(@.b=="c]',
    "['a",
    '.a b',
    '.a["b"]',
    ".a['b c']",
    '.a[?(@.b ~ 1)]',
    '{.a}',
    '.a[?(])',
    `.${'a'.repeat(5_000)}`,
  ])('refuses %j', (text) => {
    expect(shape(text)).toMatch(/^problem: /);
  });

  test('ends for long nonsense', () => {
    for (const piece of ['[', '[?(', '.a', "['", '\\', '.a\\', '[?(@.a==']) {
      expect(typeof shape(piece.repeat(4_096 / piece.length))).toBe('string');
    }
  });
});

describe('follow', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          list: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
          map: { type: 'object', additionalProperties: { type: 'boolean' } },
          open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    },
  };
  const to = (text: string) => {
    const parsed = parsePath(text);
    return followObject(schema, 'steps' in parsed ? parsed.steps : []);
  };

  test.each([
    ['.spec.size', 'integer'],
    ['.spec.list[0].name', 'string'],
    ['.spec.list[?(@.name=="a")].name', 'string'],
    ["['spec']['list'][*]['name']", 'string'],
    ['.spec.map.anything', 'boolean'],
    ['.kind', 'string'],
    ['.metadata.labels.a', 'string'],
    ['.metadata.generation', 'integer'],
    ['.metadata.ownerReferences[?(@.kind=="A")].name', 'string'],
  ])('%s', (path, type) => {
    expect(to(path)).toMatchObject({ found: { type } });
  });

  test.each(['.spec.open.a.b[0]', '.spec..x', '.metadata.managedFields[0].fieldsV1.a'])(
    '%s may be anything',
    (path) => {
      expect(to(path)).toEqual({ found: 'anything' });
    },
  );

  test.each([
    ['.spec.sise', 'field `sise` does not exist'],
    ['.spec.size.x', 'field `x` does not exist'],
    ['.spec.size[0]', 'it expects a list, but the value is not a list'],
    ['.spec.list[?(@.nam=="a")].name', 'field `nam` does not exist'],
    ['.spec.list[?(@.name==@.other)].name', 'field `other` does not exist'],
    ["['spec']['map.a.b']", 'field `b` does not exist'],
    ['.kind.x', 'field `x` does not exist'],
    ['.metadata.nam', 'field `nam` does not exist'],
    ['.spec.constructor', 'field `constructor` does not exist'],
  ])('%s leads nowhere', (path, why) => {
    expect(to(path)).toMatchObject({ found: undefined, why });
  });

  test('knows metadata at the root only', () => {
    expect(follow(schema, [{ kind: 'field', name: 'metadata' }]).found).toBeUndefined();
  });
});
