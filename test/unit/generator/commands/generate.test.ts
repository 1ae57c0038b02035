import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createGenerator, type Generated } from '../../../../generator/commands/generate.js';
import type { Emitter } from '../../../../generator/emit/emitter.js';
import { readFiles, testFolder } from '../../../support/scratch-folder.js';

let root: string;
beforeEach(() => {
  root = testFolder();
  for (const plural of ['ants', 'bees', 'cows']) write(plural, definition(plural));
  write('types', types('A small thing.'));
});

const write = (name: string, text: string): void => {
  mkdirSync(join(root, 'schemas'), { recursive: true });
  writeFileSync(join(root, 'schemas', `${name}.yaml`), text);
};
const remove = (name: string): void => rmSync(join(root, 'schemas', `${name}.yaml`));
const types = (description: string): string =>
  `apiVersion: kindforge.dev/v1\nkind: TypeLibrary\nmetadata: { name: small/v1 }\nspec: { types: { Thing: { type: string, description: ${description} }, Holder: { type: object, properties: { thing: { $ref: 'small/v1#/Thing' } } }, Other: { type: string } } }\n`;

/** Ants use the shared type through another one; bees use one that does not change; cows use none. */
const FIELDS: Readonly<Record<string, string>> = {
  ants: "{ $ref: 'small/v1#/Holder' }",
  bees: "{ $ref: 'small/v1#/Other' }",
  cows: '{ type: string }',
};
const definition = (plural: string, note = ''): string => {
  const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`;
  return `apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: ${plural}.example.com }
spec:
  group: example.com
  names: { plural: ${plural}, kind: ${kind} }
  scope: Cluster
  versions:
    - name: v1
      schema: { openAPIV3Schema: { type: object, properties: { spec: ${FIELDS[plural]} } } }
# ${note}
`;
};

/** Emits the schema as text, and records for which resources it was called. */
function recorder(): { readonly emitter: Emitter; readonly asked: string[] } {
  const asked: string[] = [];
  const emitter: Emitter = {
    name: 'text',
    emitResource: (resource) => {
      asked.push(resource.names.plural);
      return [{ path: `${resource.names.plural}.txt`, content: JSON.stringify(resource.versions[0]?.schema) }];
    },
    emitModel: (model) => [{ path: 'all.txt', content: model.resources.map((each) => each.names.plural).join(' ') }],
  };
  return { emitter, asked };
}

const start = () => {
  const { emitter, asked } = recorder();
  const generator = createGenerator({ schemas: join(root, 'schemas'), out: join(root, 'out'), emitters: [emitter] });
  const run = (): Generated => {
    asked.length = 0;
    return generator.run();
  };
  return { run, asked };
};
const read = (path: string): string => readFileSync(join(root, 'out', path), 'utf8');
const changed = (generated: Generated): string[] =>
  (generated.outcome?.differences ?? []).map((each) => each.path).filter((path) => path !== 'manifest.json');

describe('a first run', () => {
  test('emits everything in order', () => {
    const { run, asked } = start();
    expect(run()).toMatchObject({ resources: 3, emitted: 3, diagnostics: [] });
    expect(asked).toEqual(['ants', 'bees', 'cows']);
    expect(read('all.txt')).toBe('ants bees cows');
  });

  test('writes nothing while there are errors', () => {
    write('dogs', 'kind: Dog');
    const generated = start().run();
    expect(generated.outcome).toBeUndefined();
    expect(generated.diagnostics.map((each) => each.code)).toEqual(['KF2002']);
    expect(readdirSync(root)).toEqual(['schemas']);
  });
});

test('refuses to write into the folder of the definitions, under any name', () => {
  symlinkSync(join(root, 'schemas'), join(root, 'same'));
  for (const out of ['schemas', 'same']) {
    const generator = createGenerator({
      schemas: join(root, 'schemas'),
      out: join(root, out),
      emitters: [recorder().emitter],
    });
    expect(() => generator.run()).toThrow(`${join(root, out)} is the folder of the definitions`);
  }
  expect(readdirSync(join(root, 'schemas')).every((name) => name.endsWith('.yaml'))).toBe(true);
});

describe('the output of other definitions', () => {
  const from = (schemas: string, check = false) =>
    createGenerator({ schemas: join(root, schemas), out: join(root, 'out'), check, emitters: [recorder().emitter] });
  const elsewhere = (): void => {
    mkdirSync(join(root, 'others'));
    writeFileSync(join(root, 'others/dogs.yaml'), definition('dogs'));
  };
  beforeEach(() => writeFileSync(join(root, 'package.json'), '{}'));

  test('is not replaced in any way', () => {
    from('schemas').run();
    elsewhere();
    for (const check of [false, true]) {
      expect(() => from('others', check).run()).toThrow(
        `${join(root, 'out')} has files generated from ${relative('', join(root, 'schemas'))}, and`,
      );
    }
    expect(read('ants.txt')).not.toBe('');
    expect(changed(from('schemas', true).run())).toEqual([]);
  });

  test('is replaced if only their folder was renamed', () => {
    from('schemas').run();
    renameSync(join(root, 'schemas'), join(root, 'others'));
    expect(changed(from('others').run())).toEqual([]);
    expect(JSON.parse(read('manifest.json')).schemas).toBe('../others');
  });

  test('does not record the folder of its definitions outside a project', () => {
    rmSync(join(root, 'package.json'));
    from('schemas').run();
    expect(JSON.parse(read('manifest.json'))).not.toHaveProperty('schemas');
  });
});

describe('a second run', () => {
  test('emits nothing if nothing has changed', () => {
    const { run, asked } = start();
    run();
    expect(changed(run())).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('emits changed resources', () => {
    const { run, asked } = start();
    run();
    write('bees', definition('bees', 'a note').replace('scope: Cluster', 'scope: Namespaced'));
    expect(run().emitted).toBe(1);
    expect(asked).toEqual(['bees']);
  });

  test('emits the users of a changed type, and no others', () => {
    const { run, asked } = start();
    run();
    write('types', types('A larger thing.'));
    expect(changed(run())).toEqual(['ants.txt']);
    expect(asked).toEqual(['ants']);
    expect(read('ants.txt')).toContain('A larger thing.');
  });

  test('removes output that is no longer generated', () => {
    const { run } = start();
    run();
    remove('cows');
    expect(changed(run())).toEqual(['all.txt', 'cows.txt']);
    expect(readdirSync(join(root, 'out')).sort()).toEqual(['all.txt', 'ants.txt', 'bees.txt', 'manifest.json']);
  });

  test('keeps everything while there are errors, and catches up after them', () => {
    const { run } = start();
    run();
    write('bees', 'kind: {');
    expect(run().outcome).toBeUndefined();
    expect(read('all.txt')).toBe('ants bees cows');
    remove('bees');
    run();
    expect(read('all.txt')).toBe('ants cows');
  });

  test('finds a type that comes back', () => {
    const { run } = start();
    run();
    remove('types');
    expect(run().diagnostics.map((each) => each.code)).toEqual(['KF3018', 'KF3018']);
    write('types', types('A small thing.'));
    expect(run().diagnostics).toEqual([]);
  });

  test('reports two definitions of one resource, until one is gone', () => {
    const { run } = start();
    run();
    write('dogs', definition('cows'));
    const second = run();
    expect(second.diagnostics.map((each) => [each.file, each.code])).toEqual([['dogs.yaml', 'KF4009']]);
    expect(second.resources).toBe(3);
    remove('dogs');
    expect(run().diagnostics).toEqual([]);
  });

  test('reads everything again after a failure', () => {
    const { emitter } = recorder();
    let broken = false;
    const failing: Emitter = {
      name: 'failing',
      emitModel: () => {
        if (broken) throw new Error('no');
        return [];
      },
    };
    const generator = createGenerator({
      schemas: join(root, 'schemas'),
      out: join(root, 'out'),
      emitters: [emitter, failing],
    });
    generator.run();
    broken = true;
    write('bees', definition('bees', 'note'));
    expect(() => generator.run()).toThrow('no');
    broken = false;
    rmSync(join(root, 'out', 'ants.txt'));
    expect(changed(generator.run())).toEqual(['ants.txt']);
  });
});

describe('with check', () => {
  test('compares the output and writes nothing', () => {
    const { emitter } = recorder();
    const options = { schemas: join(root, 'schemas'), out: join(root, 'out'), emitters: [emitter] };
    createGenerator(options).run();
    const compare = (): string[] => changed(createGenerator({ ...options, check: true }).run());
    expect(compare()).toEqual([]);
    write('cows', definition('cows').replace('type: string', 'type: integer'));
    expect(compare()).toEqual(['cows.txt']);
    expect(read('cows.txt')).toContain('string');
  });
});

test('two runs over the same definitions write the same bytes', () => {
  const contents = (out: string): string[] => {
    createGenerator({ schemas: join(root, 'schemas'), out: join(root, out) }).run();
    return [...readFiles(join(root, out)).values()];
  };
  expect(contents('one')).toEqual(contents('two'));
});
