/** The output of `kindforge get` by templates and columns in files, sorted by paths, and during changes of objects. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keep, type ObjectCommands, ports, service, startObjectCommands } from '../support/object-commands.js';

describe('the output of get', () => {
  let commands: ObjectCommands;
  beforeAll(async () => {
    commands = await startObjectCommands();
  });
  afterAll(() => commands?.stop());

  it('may use templates and columns in files', async () => {
    const template = join(commands.folder, 'template');
    writeFileSync(template, '{.metadata.name}');
    expect(await commands.get('services db', { output: `jsonpath-file=${template}` })).toBe('db');
    const columns = join(commands.folder, 'columns');
    writeFileSync(columns, 'NAME             TYPE\nmetadata.name    .spec.type\n');
    expect(await commands.get('services db', { output: `custom-columns-file=${columns}` })).toBe(
      'NAME   TYPE\ndb     ClusterIP\n',
    );
    expect(await commands.get('services', { output: 'jsonpath-file=none' })).toContain('none cannot be read');
  });

  it('reports paths that it cannot sort by', async () => {
    expect(await commands.get('services', { sortBy: '.spec.none' })).toContain('--sort-by: no object has .spec.none');
    expect(await commands.get('services', { sortBy: '.spec' })).toContain('an object and an object have no order');
    expect(await commands.get('services', { sortBy: '.a[' })).toContain('unterminated array');
  });

  it('has objects without the value first, and otherwise the order of the server', async () => {
    const sorted = await commands.get('services', { output: 'name', sortBy: '.metadata.labels.app' });
    expect(sorted).toBe('services/kubernetes\nservices/web-2\nservices/db\nservices/web-10\n');
  });

  it('refuses a template with an unclosed range', async () =>
    expect(await commands.get('services', { output: 'jsonpath={range .items[*]}x' })).toContain(
      'a {range} has no {end}',
    ));

  it.each<[output: string, start: RegExp, changed: string]>([
    ['table', /^NAME +TYPE +.*\ndb +ClusterIP/, 'db '],
    ['name', /^services\/db\n$/, 'services/db\n'],
    ['yaml', /^kind: Service\napiVersion: v1\n/, '---\nkind: Service'],
    ['json', /^\{\n {2}"apiVersion": "v1"|^\{\n {2}"kind"/, '"x": "table"'],
    ['jsonpath={.metadata.name} {.metadata.labels.x}{"\\n"}', /^db .*\n$/, 'db jsonpath'],
    ['custom-columns=NAME:.metadata.name,X:.metadata.labels.x', /^NAME +X\ndb +/, 'db     custom-columns'],
  ])('continues with changes: %s', async (output, start, changed) => {
    const end = new AbortController();
    const to = keep();
    const watching = commands.get('services db', { output, watch: { signal: end.signal } }, to);
    await expect.poll(() => to.said.out).toMatch(start);
    const before = to.said.out.length;
    const x = output === 'json' ? 'table' : output.split('=')[0];
    await commands.apply(service('db', { ports: ports(5432), sessionAffinity: 'ClientIP' }, { app: 'db', x }));
    await expect.poll(() => to.said.out.slice(before)).toContain(changed);
    end.abort();
    await watching;
    expect(to.said.err).toBe('');
    if (output.startsWith('custom')) expect(to.said.out.match(/NAME/g)).toHaveLength(1);
  });

  it('continues with new objects of a list, in the requested namespace and with the requested labels', async () => {
    const end = new AbortController();
    const to = keep();
    const watching = commands.get(
      'services',
      { output: 'name', selector: 'new=yes', watch: { signal: end.signal } },
      to,
    );
    await expect
      .poll(async () => {
        await commands.apply(
          service('other', { ports: ports(1) }),
          service('late', { ports: ports(1) }, { new: 'yes' }),
        );
        return to.said.out;
      })
      .toContain('services/late\n');
    end.abort();
    await watching;
    expect(to.said.out).not.toContain('other');
  });

  it('ends a watch of a missing object', async () => {
    const watch = { signal: new AbortController().signal };
    expect(await commands.get('services none', { watch })).toContain('"none" not found');
    expect(await commands.get('services configmaps/none', { watch })).toContain('is not a resource and a name');
    expect(await commands.get('services,configmaps', { watch })).toContain(
      'a watch follows one resource, or one object',
    );
  });
});
