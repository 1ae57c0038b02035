/**
 * A server that records the questions to its authorizer, and everything that it serves. Objects carry marks, which show
 * in answers. The server records writes and routes as they happen.
 */
import type { AccessAttributes, AdmissionPlugin, Authenticator, Authorizer } from '../../runtime/contract/index.js';
import type { ExtendApp } from '../../runtime/server/index.js';
import { suiteApi, type TestApi } from './test-api.js';
import { widget, widgets } from './widgets.js';

/** An access that the server gave to a request. */
export interface Served {
  /** The verb for an object, or the method of a route. */
  readonly verb: string;
  /** Absent for routes. */
  readonly namespace?: string;
  /** The name of an object, or the path of a route. */
  readonly name: string;
  /** Absent if the access is known only from an answer, because answers do not name users. */
  readonly user?: string;
}

export interface WitnessedApi {
  readonly api: TestApi;
  /** The requests that the authorizer has allowed since the last `reset`. */
  readonly allowed: readonly AccessAttributes[];
  /** All questions to the authorizer since then. */
  readonly asked: readonly AccessAttributes[];
  /** Lists the recorded accesses, and those in the text of an answer, that `allowed` does not cover. */
  unauthorized(answer: string): readonly Served[];
  /** Creates deleted objects again, and forgets all questions and accesses. */
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

/**
 * Allows Anna and anonymous users to access open objects and routes. Nobody may impersonate, and Eve may do nothing.
 */
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
  const api = await suiteApi([widgets], {
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

/** Lists the objects that the marks in an answer name. */
const marked = (answer: string): Served[] =>
  [...answer.matchAll(marks)].map(([, namespace = '', name = '']) => ({ verb: 'get', namespace, name }));

/** The verbs that authorize each access to an object. */
const verbsFor: Readonly<Record<string, readonly string[]>> = {
  get: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  create: ['create', 'update', 'patch'],
  update: ['update', 'patch'],
  delete: ['delete', 'deletecollection'],
};

/** Reports whether an allowed request covers an access. */
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
