/** Sends requests for resources to their verb, by method, path and the verbs of the resource. */
import { beforeAll, describe, expect, it } from 'vitest';
import { moduleOf } from '../../../support/modules.js';
import { suiteApi } from '../../../support/test-api.js';
import { widget, widgets, widgetsPath } from '../../../support/widgets.js';

const cluster = moduleOf('example.com', 'zones', 'Zone', { scope: 'Cluster' });
const readable = moduleOf('example.com', 'facts', 'Fact', { verbs: ['get', 'list'] });
const builtIn = moduleOf('', 'notes', 'Note', { decoding: 'typed' });
const builtInPath = '/api/v1/namespaces/default/notes';
const asked = moduleOf('example.com', 'questions', 'Question', { storage: false, virtual: true, verbs: ['create'] });
const api = await suiteApi([widgets, cluster, readable, builtIn, asked]);
const root = '/apis/example.com/v1';

beforeAll(async () => {
  await api.send('POST', widgetsPath, widget('a'));
});

describe('methods', () => {
  it.each([
    ['GET', `${root}/widgets`, 200],
    ['GET', widgetsPath, 200],
    ['GET', `${widgetsPath}/a`, 200],
    ['GET', `${widgetsPath}/a/status`, 200],
    ['POST', `${root}/widgets`, 404],
    ['DELETE', `${root}/widgets`, 404],
    ['POST', `${root}/facts`, 405],
    ['PUT', widgetsPath, 400],
    ['PUT', `${root}/widgets`, 404],
    ['HEAD', widgetsPath, 200],
    ['HEAD', `${root}/widgets`, 200],
    ['HEAD', `${widgetsPath}/a`, 200],
    ['HEAD', `${widgetsPath}/a/status`, 200],
    ['HEAD', `${widgetsPath}/missing`, 404],
    ['HEAD', `${root}/namespaces/default/questions`, 405],
    ['HEAD', builtInPath, 405],
    ['PUT', builtInPath, 405],
    ['PATCH', builtInPath, 405],
    ['POST', `${widgetsPath}/a`, 405],
    ['DELETE', `${widgetsPath}/a/status`, 405],
    ['BREW', `${widgetsPath}/a`, 405],
    ['GET', `${root}/namespaces/default/facts`, 200],
    ['POST', `${root}/namespaces/default/facts`, 405],
    ['DELETE', `${root}/namespaces/default/facts`, 405],
    ['GET', `${root}/namespaces/default/facts?watch=1`, 405],
    ['GET', `${root}/watch/namespaces/default/facts`, 405],
    ['PATCH', `${root}/namespaces/default/facts/a`, 405],
    ['GET', `${root}/namespaces/default/questions`, 405],
    ['GET', `${root}/namespaces/default/questions/a`, 404],
    ['DELETE', `${root}/namespaces/default/questions/a`, 404],
    ['GET', `${root}/questions`, 404],
    ['POST', `${root}/questions`, 404],
  ])('%s %s is a %d', async (method, path, code) => {
    expect((await api.send(method, path, undefined)).code).toBe(code);
  });
});

describe('a write of one custom resource without its name', () => {
  it.each([
    ['PUT', undefined, 400, 'name must be provided'],
    ['PATCH', 'application/merge-patch+json', 400, 'name must be provided'],
    ['PATCH', 'text/plain', 415, 'the body of the request was in an unknown format'],
  ])('by %s as %s is a %d', async (method, type, code, message) => {
    const reply = await api.send(method, widgetsPath, {}, type === undefined ? {} : { 'content-type': type });
    expect(reply.code).toBe(code);
    expect(reply.body.message).toContain(message);
  });
});

describe('scope', () => {
  it.each([
    [`${root}/zones`, 200],
    [`${root}/namespaces/default/zones`, 404],
    [`${root}/widgets/a`, 404],
    [`${root}/widgets/a/status`, 404],
  ])('GET %s is a %d', async (path, code) => {
    expect((await api.send('GET', path)).code).toBe(code);
  });
});

describe('the deprecated watch of one object', () => {
  it('sees only that object', async () => {
    const watched = await api.watch(`${root}/watch/namespaces/default/widgets/a`);
    await api.send('POST', widgetsPath, widget('b'));
    await api.send('DELETE', `${widgetsPath}/a`);
    watched.stop();
    expect(watched.events).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'a' } } },
      { type: 'DELETED', object: { metadata: { name: 'a' } } },
    ]);
  });
});

describe('names that a path would read as something else', () => {
  it.each([
    ['.', "may not be '.'"],
    ['%2e', "may not be '.'"],
    ['..', "may not be '..'"],
    ['%2E%2e', "may not be '..'"],
    ['a%25b', "may not contain '%'"],
  ])('%s is refused by every method and subresource', async (name, problem) => {
    const decoded = decodeURIComponent(name);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'POST']) {
      for (const place of [widgetsPath, `${root}/zones`]) {
        for (const path of [`${place}/${name}`, `${place}/${name}/`, `${place}/${name}/status`]) {
          const reply = await api.send(method, path, {});
          expect(reply.code).toBe(400);
          expect(reply.body.message).toBe(`Name parameter invalid: "${decoded}": ${problem}`);
        }
      }
    }
  });

  it.each(['.', '%2e', '..', '.%2E'])('%s is refused as a namespace', async (namespace) => {
    const decoded = decodeURIComponent(namespace);
    for (const rest of ['', '/a', '/a/status']) {
      const reply = await api.send('GET', `${root}/namespaces/${namespace}/widgets${rest}`);
      expect(reply.code).toBe(400);
      expect(reply.body.message).toBe(`Namespace parameter invalid: "${decoded}": may not be '${decoded}'`);
    }
  });

  it.each(['...', '.a', 'a..', '%2e%2e%2e'])('%s is only a name', async (name) => {
    expect((await api.send('GET', `${widgetsPath}/${name}`)).code).toBe(404);
  });
});
