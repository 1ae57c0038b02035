/**
 * A server that records everything: the questions to its authorizer, and what it served. Objects carry marks by which
 * an answer shows the user that it is about. Writes and routes are recorded as they happen.
 */
import type { AccessAttributes, AdmissionPlugin, Authenticator, Authorizer } from '../../runtime/contract/index.js';
import type { ExtendApp } from '../../runtime/server/index.js';
import { startTestApi, type TestApi } from './test-api.js';
import { widget, widgets } from './widgets.js';

/** Something that was done for a request. */
export interface Served {
  /** Verb of the object, or the method of a route. */
  readonly verb: string;
  /** Absent for routes. */
  readonly namespace?: string;
  /** Name of an object, or path of a route. */
  readonly name: string;
  /** Absent if it was read from an answer, which does not say. */
  readonly user?: string;
}

export interface WitnessedApi {
  readonly api: TestApi;
  /** The requests that the authorizer has allowed since the last `forget`. */
  readonly allowed: readonly AccessAttributes[];
  /** All that it was asked. */
  readonly asked: readonly AccessAttributes[];
  /** Lists the recorded accesses, and those in the text of an answer, that `allowed` does not cover. */
  unauthorized(answer: string): readonly Served[];
  /** Makes the objects that a request has deleted, and forgets all that was asked and served. */
  reset(): Promise<void>;
  /** Prints the objects of the closed namespace, with their revisions. */
  closed(): string;
}

/** The namespace with objects that everyone may access. Nobody may access objects of another namespace. */
export const openNamespace = 'open';

const namespaces = [openNamespace, 'closed'];
const names = ['a', 'b'];
const mark = (namespace: string, name: string): string => `mark:${namespace}/${name}:`;
const marks = /mark:([a-z]+)\/([a-z]+):/g;

const users: Readonly<Record<string, string>> = { 'Bearer anna': 'anna', 'Bearer eve': 'eve' };

/** Allows Anna and anonymous users to access what is open. Nobody may impersonate, and Eve may do nothing. */
const allows = (attributes: AccessAttributes): boolean => {
  if (attributes.user.name === 'eve' || attributes.verb === 'impersonate') return false;
  if ('path' in attributes) return /^\/(hook\/open|version|api|apis)(\/|$)/.test(attributes.path);
  return attributes.namespace === openNamespace;
};

export async function startWitnessedApi(): Promise<WitnessedApi> {
  const asked: AccessAttributes[] = [];
  const allowed: AccessAttributes[] = [];
  const noted: Served[] = [];
  let isWatching = false;
  const authorizer: Authorizer = {
    name: 'witness',
    decide(attributes) {
      if (!isWatching) return { decision: 'allow' };
      asked.push(attributes);
      if (!allows(attributes)) return { decision: 'deny' };
      allowed.push(attributes);
      return { decision: 'allow' };
    },
  };
  const authenticator: Authenticator = {
    name: 'witness',
    authenticate({ headers: { authorization } }) {
      if (authorization === undefined) return undefined;
      const name = users[String(authorization)];
      return name === undefined ? { refused: 'nobody' } : { user: { name, uid: '', groups: [], extra: {} } };
    },
  };
  const plugin: AdmissionPlugin = {
    name: 'Witness',
    handles: () => true,
    validate({ operation, namespace, name, user }) {
      if (isWatching) noted.push({ verb: operation.toLowerCase(), namespace, name, user: user.name });
      return undefined;
    },
  };
  const routes: ExtendApp = (app) => {
    app.all('/hook/**', ({ url, req, context }) => {
      noted.push({
        verb: req.method.toLowerCase(),
        name: decodeURIComponent(url.pathname),
        user: context.user?.name ?? '',
      });
      return 'served';
    });
  };
  const api = await startTestApi([widgets], {
    authorizer,
    authenticators: [authenticator],
    plugins: [plugin],
    routes,
  });
  const make = async (namespace: string, name: string): Promise<void> => {
    const object = widget(name, { color: mark(namespace, name) });
    await api.send('POST', `/apis/example.com/v1/namespaces/${namespace}/widgets`, object);
  };
  return {
    api,
    allowed,
    asked,
    unauthorized: (answer) => [...noted, ...marked(answer)].filter((one) => !allowed.some((by) => covers(by, one))),
    async reset() {
      isWatching = false;
      for (const namespace of namespaces) for (const name of names) await make(namespace, name);
      isWatching = true;
      for (const list of [asked, allowed, noted]) list.length = 0;
    },
    closed: () => closedState(api),
  };
}

/** Lists the objects of the marks in an answer. */
const marked = (answer: string): Served[] =>
  [...answer.matchAll(marks)].map(([, namespace = '', name = '']) => ({ verb: 'get', namespace, name }));

/** The verbs that are authorized for each thing that can be done to an object. */
const verbsFor: Readonly<Record<string, readonly string[]>> = {
  get: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  create: ['create', 'update', 'patch'],
  update: ['update', 'patch'],
  delete: ['delete', 'deletecollection'],
};

/** Reports whether an allowed access covers what was served. */
function covers(by: AccessAttributes, { verb, namespace, name, user }: Served): boolean {
  if (user !== undefined && user !== by.user.name) return false;
  if ('path' in by) return namespace === undefined && by.path === name && by.verb === verb;
  if (namespace === undefined || !verbsFor[verb]?.includes(by.verb)) return false;
  const { group, resource, name: one } = by;
  return (
    group === 'example.com' && resource === 'widgets' && namespace === by.namespace && (one === '' || one === name)
  );
}

function closedState({ store }: TestApi): string {
  const found = store.list('example.com/widgets/closed/');
  if (typeof found === 'string') throw new Error('the store has no list');
  return found.entries.map(({ key, revision }) => `${key}@${revision}`).join(' ');
}
