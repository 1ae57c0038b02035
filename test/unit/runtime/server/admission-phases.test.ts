/** Calls of admission plugins: never for reads, once per object, changes before checks, and one refusal ends all. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { AdmissionHost, AdmissionPlugin, FollowedObjects, Operation } from '../../../../runtime/contract/index.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgetStatus, widgets, widgetsPath } from '../../../support/widgets.js';

const asked: string[] = [];
let refusing = '';
let host: AdmissionHost | undefined;
let effects: Operation | undefined;

/** Makes a plugin that records its calls, and refuses if the test asks for it. */
function witness(name: string): AdmissionPlugin {
  const note = (step: string, operation: Operation, subresource: string) => {
    const said = `${name} ${step} ${operation}${subresource === '' ? '' : `/${subresource}`}`;
    asked.push(said);
    return said === refusing ? ({ reason: 'Forbidden', message: `${name} refuses` } as const) : undefined;
  };
  return {
    name,
    handles: () => true,
    start: (given) => {
      host = given;
    },
    sideEffects: ({ operation }) => name === 'Second' && operation === effects,
    admit: ({ operation, subresource }) => note('admit', operation, subresource),
    validate: ({ operation, subresource }) => note('validate', operation, subresource),
  };
}

/** Adds a part without its default, and a color that the schema does not allow if a test wants one. */
const changer: AdmissionPlugin = {
  name: 'Changer',
  handles: () => true,
  admit({ object }) {
    if (object?.metadata.labels?.bare === 'yes') object.spec = {};
    if (object?.metadata.labels?.bad === 'yes') object.spec = { size: 0 };
    return undefined;
  },
};

const served = { ...widgets, subresources: [widgetStatus] };
const api = await suiteApi([served], { plugins: [witness('First'), changer, witness('Second')] });
beforeEach(() => {
  refusing = '';
  effects = undefined;
  asked.length = 0;
});

const both = (operation: string) =>
  ['admit', 'validate'].flatMap((step) => ['First', 'Second'].map((name) => `${name} ${step} ${operation}`));

describe('admission', () => {
  it('is never asked about reads', async () => {
    await api.send('POST', widgetsPath, widget('read'));
    asked.length = 0;
    await api.send('GET', `${widgetsPath}/read`);
    await api.send('GET', widgetsPath);
    await api.send('GET', `${widgetsPath}/read/status`);
    const watched = await api.watch(`${widgetsPath}?watch=true`);
    watched.stop();
    expect(asked).toEqual([]);
  });

  it('runs all changes before any checks, for each kind of write and its subresource', async () => {
    await api.send('POST', widgetsPath, widget('a'));
    expect(asked.splice(0)).toEqual(both('CREATE'));
    await api.send('PATCH', `${widgetsPath}/a`, { spec: { size: 4 } });
    expect(asked.splice(0)).toEqual(both('UPDATE'));
    await api.send('PATCH', `${widgetsPath}/a/status`, { status: { ready: true } });
    expect(asked.splice(0)).toEqual(both('UPDATE/status'));
    await api.send('DELETE', `${widgetsPath}/a`);
    expect(asked.splice(0)).toEqual(both('DELETE'));
  });

  it('is asked once for each object of a collection', async () => {
    for (const name of ['c1', 'c2', 'c3'])
      await api.send('POST', '/apis/example.com/v1/namespaces/c/widgets', widget(name));
    asked.length = 0;
    await api.send('DELETE', '/apis/example.com/v1/namespaces/c/widgets');
    expect(asked.filter((one) => one === 'First validate DELETE')).toHaveLength(3);
    expect(asked).toHaveLength(12);
  });

  it.each(['Second admit CREATE', 'First validate CREATE', 'Second validate CREATE'])(
    'refuses the whole request if %s refuses, and calls no other plugin',
    async (last) => {
      refusing = last;
      expect(await api.send('POST', widgetsPath, widget('refused'))).toMatchObject({ code: 403 });
      expect(asked.at(-1)).toBe(last);
      refusing = '';
      expect(await api.send('GET', `${widgetsPath}/refused`)).toMatchObject({ code: 404 });
    },
  );

  it('lets plugins that change objects refuse a delete', async () => {
    await api.send('POST', widgetsPath, widget('kept'));
    refusing = 'Second admit DELETE';
    expect(await api.send('DELETE', `${widgetsPath}/kept`)).toMatchObject({ code: 403 });
    expect(asked).not.toContain('First validate DELETE');
    expect(await api.send('GET', `${widgetsPath}/kept`)).toMatchObject({ code: 200 });
  });

  it('has its changes defaulted and checked, in creates and updates', async () => {
    const bare = widget('bare', {}, { labels: { bare: 'yes' } });
    expect(await api.send('POST', widgetsPath, bare)).toMatchObject({ body: { spec: { size: 3 } } });
    await api.send('POST', widgetsPath, widget('late', { size: 7 }));
    const label = (key: string) => ({ metadata: { labels: { [key]: 'yes' } } });
    expect(await api.send('PATCH', `${widgetsPath}/late`, label('bare'))).toMatchObject({
      code: 200,
      body: { spec: { size: 3 } },
    });
    asked.length = 0;
    expect(await api.send('PATCH', `${widgetsPath}/late`, label('bad'))).toMatchObject({ code: 422 });
    expect(asked).toEqual(['First admit UPDATE', 'Second admit UPDATE']);
  });

  it('refuses a dry run that would reach a plugin with side effects', async () => {
    effects = 'CREATE';
    expect(await api.send('POST', `${widgetsPath}?dryRun=All`, widget('dry'))).toMatchObject({
      code: 400,
      body: { reason: 'BadRequest', message: 'admission plugin "Second" does not support dry run' },
    });
    expect(asked).toEqual(['First admit CREATE']);
    expect(await api.send('POST', widgetsPath, widget('dry'))).toMatchObject({ code: 201 });
    expect(await api.send('DELETE', `${widgetsPath}/dry?dryRun=All`)).toMatchObject({ code: 200 });
  });
});

describe('followed objects', () => {
  const names = (objects: FollowedObjects | undefined, namespace?: string): string[] =>
    [...(objects?.list(namespace) ?? [])].map(({ metadata }) => metadata.name ?? '').sort();

  it('are available at once, are kept up to date, and are shared', async () => {
    const path = '/apis/example.com/v1/namespaces/f/widgets';
    await api.send('POST', path, widget('one'));
    const objects = host?.objects('example.com', 'widgets');
    expect(names(objects, 'f')).toEqual(['one']);
    await api.send('POST', path, widget('two'));
    await api.send('PATCH', `${path}/one`, { spec: { size: 9 } });
    expect(names(objects, 'f')).toEqual(['one', 'two']);
    expect(objects?.get('f', 'one')).toMatchObject({ spec: { size: 9 } });
    expect(names(objects)).toEqual(expect.arrayContaining(['one', 'two', 'kept']));
    await api.send('DELETE', `${path}/one`);
    await api.send('DELETE', `${path}/two`);
    expect(names(objects, 'f')).toEqual([]);
    expect(objects?.get('f', 'one')).toBeUndefined();
    expect(host?.objects('example.com', 'widgets')).toBe(objects);
    expect(names(host?.objects('example.com', 'gadgets'))).toEqual([]);
  });
});
