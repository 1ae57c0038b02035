/** Compares the page about rights in Chromium, against a real server, with the answers of `kindforge access`. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProgram } from '../../../bin/program.js';
import type { DynamicApi } from '../../../client/index.js';
import type { Page } from '../../interop/node_modules/playwright-core/index.mjs';
import { goTo, isReady, type OpenConsole } from './support/open-console.js';
import { type ServedConsole, serveConsole } from './support/serve-console.js';

const hostile = `<img src=x onerror="window.hacked=1">\u202e{{7*7}}'"`;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

describe.skipIf(!isReady).each(['kubernetes', 'platform'])('access under the naming %s', (naming) => {
  /** The naming does not matter for tests that run only then. */
  const isFirst = naming === 'kubernetes';
  let served: ServedConsole;
  let consoles: OpenConsole;
  let client: DynamicApi;
  let page: Page;

  async function prepare(client: DynamicApi): Promise<void> {
    const { group } = await client.kind('roles');
    const rbac = { apiVersion: `${group}/v1` };
    await client.applyAll(
      [
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
        {
          ...{ ...rbac, kind: 'Role', metadata: { name: 'clerk', namespace: 'shop' } },
          rules: [{ apiGroups: [''], resources: ['secrets', 'configmaps'], verbs: ['get', 'list'] }],
        },
        {
          ...{ ...rbac, kind: 'Role', metadata: { name: hostile, namespace: 'shop' } },
          rules: [{ apiGroups: [''], resources: ['secrets'], resourceNames: [hostile], verbs: ['get'] }],
        },
        ...['clerk', hostile].map((name) => ({
          ...{ ...rbac, kind: 'RoleBinding', metadata: { name: `to ${name}`, namespace: 'shop' } },
          roleRef: { apiGroup: group, kind: 'Role', name },
          subjects: [
            { apiGroup: group, kind: 'User', name: name === hostile ? hostile : 'anna' },
            { kind: 'ServiceAccount', name: 'bot', namespace: 'shop' },
          ],
        })),
      ],
      { fieldManager: 'test' },
    );
  }

  beforeAll(async () => {
    served = await serveConsole('access', ['--naming', naming], prepare);
    ({ client, consoles, page } = served);
  });
  afterAll(() => served?.close());

  /** Returns the answer of the command. */
  async function command(...words: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    const print = vi.spyOn(console, 'log').mockImplementation(() => {});
    const before = process.exitCode;
    try {
      await createProgram().parseAsync(['access', ...words, '--server', served.url, '-o', 'json'], { from: 'user' });
      const value: unknown = JSON.parse(String(print.mock.calls[0]?.[0]));
      return isRecord(value) ? value : {};
    } finally {
      print.mockRestore();
      process.exitCode = before;
    }
  }

  const holderText = (holder: unknown): string => {
    if (!isRecord(holder)) return '';
    const { kind, name, namespace, resourceNames, binding, role } = holder;
    const text = (place: unknown): string =>
      isRecord(place) ? `${place.kind} ${place.namespace === undefined ? '' : `${place.namespace}/`}${place.name}` : '';
    const names = Array.isArray(resourceNames) ? resourceNames.join(', ') : 'all';
    const subject = text({ kind, name, namespace });
    return [subject, names, text(binding) || 'the server itself, always', text(role)].join(' | ');
  };
  const rowsOf = async (): Promise<readonly string[]> => {
    const rows = await page.locator('tbody tr').all();
    return Promise.all(
      rows.map(async (row) => (await row.locator('td').allTextContents()).map((cell) => cell.trim()).join(' | ')),
    );
  };
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

  /** Asks the command about all questions. */
  async function answersTo(questions: readonly (readonly string[])[]) {
    const answers: Readonly<Record<string, unknown>>[] = [];
    for (const words of questions) answers.push(await command(...words));
    return answers;
  }
  // Returns fewer questions for the other naming, because the page is opened again for each.
  const some = <T>(questions: readonly T[]): readonly T[] =>
    isFirst ? questions : questions.filter((_, at) => at % 4 === 0);

  it('answers who can do a thing as the command does', async () => {
    const questions = some([
      ['get', 'secrets', '', '-n shop'],
      ['list', 'configmaps', '', '-A'],
      ['create', 'pods/exec', '', '-n shop'],
      ['get', 'secrets', hostile, '-n shop'],
      ['get', 'secrets', 'other', '-n default'],
      ['delete', 'nodes', '', '-n shop'],
      ['get', '/metrics', '', '-n shop'],
      ['*', '*', '', '-A'],
      ['update', 'deployments.apps', '', '-n shop'],
      ['impersonate', 'users', '', '-n shop'],
    ] as const);
    const answers = await answersTo(
      questions.map(([verb, resource, name, place]) => [
        ...['who-can', verb, resource, ...(name === '' ? [] : [name])],
        ...place.split(' '),
      ]),
    );
    for (const [at, [verb, resource, name, place]] of questions.entries()) {
      const where = place === '-A' ? 'all=1' : `ns=${place.slice(3)}`;
      const words = new URLSearchParams({ tab: 'who', verb, resource, name });
      await goTo(page, `access?${words}&${where}`);
      const { subjects, limited } = answers[at] ?? {};
      await expect
        .poll(rowsOf, { message: words.toString() })
        .toEqual([...list(subjects), ...list(limited)].map(holderText));
      expect(list(subjects).length).toBeGreaterThan(0);
    }
  });

  it('explains why a user may do a thing, or may not, as the command does', async () => {
    const bot = 'system:serviceaccount:shop:bot';
    const questions = some([
      ['anna', '', 'get', 'secrets', 'shop'],
      ['anna', '', 'delete', 'secrets', 'shop'],
      [bot, '', 'list', 'secrets', 'shop'],
      ['anna', '', 'get', 'secrets', 'default'],
      ['nobody', 'system:masters', 'delete', 'nodes', 'shop'],
      ['nobody', '', 'get', '/healthz', 'shop'],
      [bot, '', 'create', 'selfsubjectaccessreviews.authorization', 'shop'],
      ['system:kube-scheduler', '', 'create', 'pods/binding', 'shop'],
      ['system:kube-scheduler', '', 'delete', 'pods', 'shop'],
      [hostile, '', 'get', 'secrets', 'shop'],
    ] as const);
    const answers = await answersTo(
      questions.map(([user, group, verb, resource, namespace]) => [
        ...['why', '--as', user, ...(group === '' ? [] : ['--as-group', group]), verb, resource, '-n', namespace],
      ]),
    );
    for (const [at, [as, groups, verb, resource, ns]] of questions.entries()) {
      const { allowed, reason, grants, nearest } = answers[at] ?? {};
      expect(typeof allowed).toBe('boolean');
      await goTo(page, `access?${new URLSearchParams({ tab: 'why', as, groups, verb, resource, ns })}`);
      const wanted = [
        `${as} ${allowed === true ? 'may' : 'may not'} ${verb}`,
        ...(reason ? [`The server says: ${reason}`] : []),
        ...list(nearest).map(String),
        ...list(grants).map((grant) => (isRecord(grant) ? `Rule ${grant.rule}: ${grant.text}` : '')),
      ].map((text) => text.replaceAll(/\s+/g, ' '));
      await expect
        .poll(async () => {
          const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
          return wanted.filter((one) => !text.includes(one));
        })
        .toEqual([]);
    }
  });

  it.runIf(isFirst)('answers a typed question, and keeps it in the address', async () => {
    await goTo(page, 'access');
    await page.getByLabel('Verb').fill('get');
    await page.getByLabel('Resource').fill('nodes');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('May get nodes').waitFor();
    expect(new URL(page.url()).searchParams.get('resource')).toBe('nodes');
    await page.goBack();
    await page.getByText('Name a verb and a resource').waitFor();
  });

  it('shows the same matrix as the command', async () => {
    const { subjects } = await command(
      'matrix',
      '-n',
      'shop',
      '--resources',
      'secrets,configmaps',
      '--verbs',
      'get,delete',
    );
    await goTo(page, 'access?tab=matrix&ns=shop&resources=secrets,configmaps&verbs=get,delete');
    const wanted = list(subjects).reduce<number>(
      (sum, one) => sum + (isRecord(one) ? list(one.resources).length : 0),
      0,
    );
    await page.getByText(`${wanted} rows`).waitFor();
    expect(await rowsOf()).toContain('User anna | secrets | yes | –');
    expect(await rowsOf()).toContain(`User ${hostile} | secrets | some | –`);
  });

  it.runIf(isFirst)('draws only the visible rows of the matrix', async () => {
    await goTo(page, 'access?tab=matrix&ns=shop&system=1');
    await page.getByRole('row').nth(20).waitFor();
    const said = Number.parseInt((await page.getByText(/\d+ rows/).textContent()) ?? '', 10);
    expect(said).toBeGreaterThan(300);
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
  });

  it.runIf(isFirst)('shows a role with any name, and its subjects', async () => {
    await goTo(page, 'access?tab=roles');
    await page.getByLabel('Find roles').fill('onerror');
    await page.getByRole('link', { name: `shop/${hostile}` }).click();
    await page.getByRole('heading', { name: `Role shop/${hostile}` }).waitFor();
    await page.getByText(`User ${hostile}`).waitFor();
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hacked'))).toBeUndefined();
  });

  it.runIf(isFirst)('shows all rights of a user', async () => {
    await goTo(page, 'access?tab=roles&as=anna');
    await page.getByText('get, list on secrets, configmaps').first().waitFor();
  });

  it('answers from changed roles after it reads them again', async () => {
    await goTo(page, 'access?tab=why&as=ben&verb=get&resource=secrets&ns=shop');
    await page.getByText('denied', { exact: true }).waitFor();
    const { group } = await client.kind('roles');
    await client.create({
      ...{ apiVersion: `${group}/v1`, kind: 'RoleBinding', metadata: { name: 'ben', namespace: 'shop' } },
      roleRef: { apiGroup: group, kind: 'Role', name: 'clerk' },
      subjects: [{ apiGroup: group, kind: 'User', name: 'ben' }],
    });
    await page.getByRole('button', { name: 'Read roles again' }).click();
    await page.getByText('allowed', { exact: true }).waitFor();
  });

  it('lists the rights of the user', async () => {
    await goTo(page, 'access?tab=own&ns=shop');
    await page
      .getByText(/^create on selfsubject/)
      .first()
      .waitFor();
  });

  it.runIf(isFirst)('shows and offers only what another user may do, when viewed as that user', async () => {
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'View as …' }).click();
    await page.getByRole('textbox', { name: 'User' }).fill('anna');
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByText('You see this as anna.').waitFor();
    await goTo(page, 'access?tab=own&ns=shop');
    await page.getByText('get, list on secrets, configmaps').waitFor();
    expect(await page.locator('main li').filter({ hasText: 'delete' }).count()).toBe(0);
    await goTo(page, 'kinds/core/v1/configmaps?ns=shop');
    await page.getByText('are not sent to you').waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Create ConfigMap' }).count()).toBe(0);
    await goTo(page, 'kinds/core/v1/configmaps?ns=default');
    await page.getByText('You may not do this').waitFor();
    await goTo(page, 'access?tab=who&verb=get&resource=secrets');
    await page.getByText('Only users who may list roles').waitFor();
    await page.getByRole('button', { name: 'Return to your own view' }).click();
    await page.getByText('You see this as anna.').waitFor({ state: 'detached' });
    await page.getByText('May get secrets').waitFor();
  });

  it('does not violate the content security policy', () => expect(consoles.errors).toEqual([]));
});
