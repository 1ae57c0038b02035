/** `kindforge get`, `apply`, `delete`, `watch` and `explain` against a server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runApply } from '../../bin/objects/apply.js';
import { type DeleteRequest, runDelete } from '../../bin/objects/delete.js';
import { partAt, schemaOfKind } from '../../bin/objects/explain-schema.js';
import { reportFailure } from '../../bin/objects/failure.js';
import { type GetRequest, runGet } from '../../bin/objects/get.js';
import { explanation, kindOfFolder, kindOfServer, outline } from '../../bin/objects/run-explain.js';
import { type Target, targetOf } from '../../bin/objects/target.js';
import { runWatch, type WatchRequest } from '../../bin/objects/watch.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ListeningServer, startServing } from '../support/serving.js';
import { root } from '../support/shared.js';

const schemas = join(root, 'examples/shop/schemas');
const widget = (name: string, spec: object, labels = {}): object => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name, labels },
  spec,
});

describe('commands about objects', () => {
  const folder = scratchFolder();
  let server: ListeningServer;
  let target: Target;
  beforeAll(async () => {
    server = await startServing({ schemas });
    target = targetOf({ server: server.url });
  });
  afterAll(async () => {
    await server.stop();
  });

  const file = (name: string, ...objects: readonly (object | string)[]): string => {
    const path = join(folder, name);
    const texts = objects.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
    writeFileSync(path, texts.join('\n---\n'));
    return path;
  };
  const printing = (): {
    lines: string[];
    errors: string[];
    out: (line: string) => void;
    text: (text: string) => void;
    error: (line: string) => void;
  } => {
    const [lines, errors]: [string[], string[]] = [[], []];
    return {
      lines,
      errors,
      out: (line) => void lines.push(...line.split('\n')),
      text: (text) => void lines.push(text),
      error: (line) => void errors.push(line),
    };
  };
  const apply = async (path: string, flags = {}): Promise<{ lines: string[]; failures: string[]; done: boolean }> => {
    const to = printing();
    const failures: string[] = [];
    const done = await runApply(
      target,
      { files: [path], fieldManager: 'kindforge', ...flags },
      to,
      (_document, error) => {
        failures.push(...reportFailure(error).lines);
      },
    );
    return { lines: to.lines, failures, done };
  };
  const get = async (words: readonly string[], request: Partial<GetRequest> = {}): Promise<string[]> => {
    const to = printing();
    const tell = (error: unknown): void => void to.errors.push(...reportFailure(error).lines);
    const whole = await runGet(target, { words, output: 'table', ...request }, { printing: to, tell });
    return [...to.lines, ...to.errors, ...(whole ? [] : ['not all'])];
  };
  const remove = async (request: Partial<DeleteRequest>): Promise<string[]> => {
    const to = printing();
    const all: DeleteRequest = { words: [], files: [], cascade: 'background', ...request };
    await runDelete(target, all, to, (error) => to.lines.push(...reportFailure(error).lines));
    return to.lines;
  };

  it('apply creates missing objects, and changes existing ones', async () => {
    const path = file(
      'door.yaml',
      '# nothing but a comment',
      widget('door', { size: 'large' }),
      widget('gate', { size: 'small' }),
    );
    expect((await apply(path)).lines).toEqual([
      'widgets.shop.example.com/door created',
      'widgets.shop.example.com/gate created',
    ]);
    expect((await apply(path)).lines[0]).toBe('widgets.shop.example.com/door applied');
    expect((await apply(path, { dryRun: true })).lines[0]).toBe(
      'widgets.shop.example.com/door would be applied (dry run)',
    );
  });

  it('apply continues after a refused object, and prints the fault and the cure', async () => {
    const { lines, failures, done } = await apply(
      file('bad.yaml', widget('bad', { size: 'huge', count: -1 }), widget('good', { size: 'small' })),
    );
    expect(done).toBe(false);
    expect(lines).toEqual(['widgets.shop.example.com/good created']);
    expect(failures.join('\n')).toContain('refused (Invalid)');
    expect(failures.filter((line) => line.startsWith('  spec.'))).toHaveLength(2);
    expect(failures.at(-1)).toContain('kindforge explain');
  });

  it('apply reports conflicts with owner and field, and takes over with --force-conflicts', async () => {
    const mine = file('mine.yaml', widget('shared', { size: 'large', count: 1 }));
    const theirs = file('theirs.yaml', widget('shared', { size: 'large', count: 2 }));
    await apply(mine, { fieldManager: 'anna' });
    const { failures } = await apply(theirs);
    expect(failures.join('\n')).toMatch(/\.spec\.count: conflict with "anna"[\s\S]*--force-conflicts/);
    expect((await apply(theirs, { forceConflicts: true })).done).toBe(true);
  });

  it('apply names the kinds that the server does not have', async () => {
    const text = 'apiVersion: policy.platform.io/v1\nkind: Widgit\nmetadata: {name: a}';
    const { failures } = await apply(file('unknown.yaml', text));
    expect(failures).toEqual([
      expect.stringMatching(/unknown\.yaml:1: the server has no kind Widgit in policy\.platform\.io\/v1$/),
      '  → did you mean `Widget`?',
    ]);
  });

  it('apply names the versions of a kind that the server has in other versions', async () => {
    const text = 'apiVersion: shop.example.com/v9\nkind: Widget\nmetadata: {name: a}';
    const { failures } = await apply(file('later.yaml', text));
    expect(failures).toEqual([
      expect.stringMatching(/later\.yaml:1: the server has no kind Widget in shop\.example\.com\/v9$/),
      '  → Widget is served as shop.example.com/v1',
    ]);
  });

  it('apply waits for a definition before it applies objects of its kind, and keeps integers of any size', async () => {
    const names = { plural: 'lamps', singular: 'lamp', kind: 'Lamp', listKind: 'LampList' };
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const definition = {
      apiVersion: 'apiextensions.platform.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'lamps.light.example.com' },
      spec: {
        group: 'light.example.com',
        names,
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    const lamp = 'apiVersion: light.example.com/v1\nkind: Lamp\nmetadata: {name: one}\nwatts: 9007199254740993';
    const { lines, failures } = await apply(file('lamps.yaml', definition, lamp));
    expect(failures).toEqual([]);
    expect(lines.at(-1)).toBe('lamps.light.example.com/one created');
    // Above 2^53, so a number of JavaScript would be another number.
    for (const output of ['json', 'yaml'] as const) {
      expect((await get(['lamps', 'one'], { output })).join('')).toContain('9007199254740993');
    }
  });

  it.each([
    ['apiVersion: v1\nkind: [', /twice\.yaml:\d+:\d+: /],
    ['kind: ConfigMap', /twice\.yaml:1: an object needs apiVersion, metadata\.name/],
    ['', /no objects in/],
  ])('apply refuses the file %j with a place', (text, expected) =>
    expect(apply(file('twice.yaml', text))).rejects.toThrow(expected),
  );

  it('get prints the columns of the server', async () => {
    const [heading, ...rows] = await get(['widgets', 'door', 'gate']);
    expect(heading).toMatch(/^NAME +SIZE +MADE +AGE$/);
    expect(rows.map((row) => row.split(/ +/).slice(0, 2))).toEqual([
      ['door', 'large'],
      ['gate', 'small'],
    ]);
    expect((await get(['widgets'], { allNamespaces: true }))[0]).toMatch(/^NAMESPACE +NAME/);
  });

  it('get prints JSON and YAML of one object, and of many', async () => {
    const one = JSON.parse((await get(['widget/door'], { output: 'json' })).join('\n')) as { kind: string };
    expect(one.kind).toBe('Widget');
    const many = load((await get(['widgets'], { output: 'yaml' })).join('\n')) as {
      kind: string;
      items: { kind: string }[];
    };
    expect(many.kind).toBe('List');
    expect(many.items[0]?.kind).toBe('Widget');
    expect(await get(['widgets', 'door'], { output: 'name' })).toEqual(['widgets.shop.example.com/door']);
  });

  it('get finds resources by plural, kind, short and full name', async () => {
    for (const typed of ['widgets', 'Widget', 'widgets.shop.example.com', 'widgets.v1.shop.example.com']) {
      expect(await get([typed, 'door'], { output: 'name' })).toEqual(['widgets.shop.example.com/door']);
    }
    expect((await get(['cm/none']))[0]).toContain('"none" not found');
    await expect(get(['widgits'])).rejects.toMatchObject({ advice: ['did you mean `widgets`?'] });
  });

  it('get prints existing objects beside a missing name, and ends with the code of a refusal', async () => {
    const [heading, row, refused, , ending, ...rest] = await get(['widgets', 'none', 'door']);
    expect([heading?.slice(0, 4), row?.slice(0, 4), ending, rest]).toEqual(['NAME', 'door', 'not all', []]);
    expect(refused).toContain('"none" not found');
    const names = await get(['widgets', 'door', 'none'], { output: 'name' });
    expect([names[0], names.at(-1)]).toEqual(['widgets.shop.example.com/door', 'not all']);
    expect((await get(['widgets', 'none'], { output: 'json' })).join()).not.toContain('{');
  });

  it('get leaves out the names of columns with --no-headers', async () =>
    expect((await get(['widgets', 'door'], { headers: false }))[0]).toMatch(/^door +large /));

  it('get reports that it found nothing', async () =>
    expect(await get(['secrets'], { selector: 'a=b' })).toEqual(['no secrets in namespace default']));

  it('get lists the resources of the server', async () =>
    expect((await get([], { list: true })).some((line) => /^widgets\.shop\.example\.com .*Widget$/.test(line))).toBe(
      true,
    ));

  const watch = async (words: readonly string[], request: Partial<WatchRequest>, until: number): Promise<string[]> => {
    const to = printing();
    const end = new AbortController();
    const printed =
      (print: (text: string) => void) =>
      (text: string): void => {
        print(text);
        if (to.lines.length >= until) end.abort();
      };
    const kept = { ...to, out: printed(to.out), text: printed(to.text) };
    const all: WatchRequest = { words, output: 'table', signal: end.signal, ...request };
    await runWatch(target, all, kept);
    return to.lines;
  };

  it('watch prints the present state, then changes', async () => {
    const events = watch(['widgets', 'door'], {}, 3);
    await apply(file('change.yaml', widget('door', { size: 'large', count: 7 })));
    const [heading, first, second] = await events;
    expect(heading).toMatch(/^EVENT +NAME/);
    expect(first).toMatch(/^ADDED +door/);
    expect(second).toMatch(/^MODIFIED +door/);
  });

  it('watch prints events as JSON, a line each', async () => {
    const [line = ''] = await watch(['widgets', 'gate'], { output: 'json' }, 1);
    expect(JSON.parse(line)).toMatchObject({ type: 'ADDED', object: { kind: 'Widget', metadata: { name: 'gate' } } });
  });

  it.each([
    ['jsonpath={.type} {.object.metadata.name}{"\\n"}', ['ADDED gate\n']],
    ['yaml', ['---', 'type: ADDED', 'object:']],
    [
      'custom-columns=NAME:.metadata.name,SIZE:.spec.size',
      ['EVENT      NAME                   SIZE', 'ADDED      gate                   small'],
    ],
  ])('watch prints events by %s', async (output, expected) =>
    expect((await watch(['widgets', 'gate'], { output }, expected.length)).slice(0, expected.length)).toEqual(expected),
  );

  it('delete takes names, selectors and files', async () => {
    await apply(
      file('more.yaml', widget('a', { size: 'small' }, { of: 'test' }), widget('b', { size: 'small' }, { of: 'test' })),
    );
    expect(await remove({ words: ['widgets', 'gate'], dryRun: true })).toEqual([
      'widgets.shop.example.com/gate would be deleted (dry run)',
    ]);
    expect(await remove({ words: ['widgets'], selector: 'of=test' })).toHaveLength(2);
    expect(await remove({ files: [file('gate.yaml', widget('gate', {}))] })).toEqual([
      'widgets.shop.example.com/gate deleted',
    ]);
    expect((await remove({ words: ['widgets', 'gate'] })).join('\n')).toContain('refused (NotFound)');
    expect(await remove({ words: ['widgets', 'gate'], ignoreNotFound: true })).toEqual([]);
    await expect(remove({ words: ['widgets'] })).rejects.toThrow('no widgets.shop.example.com are named');
  });

  it('explain prints the same for a running server and for a folder of definitions', async () => {
    const known = [await kindOfServer(target, 'widgets', undefined), kindOfFolder(schemas, 'widgets', undefined)];
    const [served, offline] = known.map(({ kind, schemas: all }) =>
      explanation(all, kind, partAt(all, schemaOfKind(all, kind), ['spec'])),
    );
    expect(served).toEqual(offline);
    expect(served?.join('\n')).toMatch(
      /FIELD: {4}spec <Object> required[\s\S]*size <string> required\n {4}one of: small, large/,
    );
  });

  it('explain follows lists and references, and stops at recursive types', async () => {
    const { kind, schemas: all } = await kindOfServer(target, 'deployments', undefined);
    const container = partAt(all, schemaOfKind(all, kind), ['spec', 'template', 'spec', 'containers', 'name']);
    expect(container).toMatchObject({ required: true, path: 'spec.template.spec.containers.name' });
    const definitions = await kindOfServer(target, 'customresourcedefinitions', 'apiextensions.platform.io/v1');
    const lines = outline(
      definitions.schemas,
      partAt(definitions.schemas, schemaOfKind(definitions.schemas, definitions.kind), []),
    );
    expect(lines.length).toBeGreaterThan(50);
    expect(() => partAt(all, schemaOfKind(all, kind), ['spec', 'replica'])).toThrow('no field replica in spec');
  });
});
