/** Answers the questions of `kindforge access` about a running server. Runs in browsers, too: the console asks them. */
import {
  type ApiObjectLike,
  type ClientOptions,
  createResourceClient,
  type DiscoveredResource,
} from '../../client/index.js';
import { readBinding } from '../../plugins/authorization/rbac/binding.js';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { tableLines } from '../text/object-size.js';
import { askServer, askWhoIAm, type ServerDecision } from './ask-server.js';
import { type Matrix, type MatrixResource, matrixLines, matrixOf, matrixResources, usualVerbs } from './matrix.js';
import {
  AccessPolicy,
  type Given,
  masters,
  type NamedSubject,
  objectOfBinding,
  type PolicyObject,
  placeOfRole,
  placeText,
  reachOf,
  subjectText,
  toNamed,
} from './policy.js';
import {
  askedUser,
  describeQuestion,
  findResource,
  type Question,
  type QuestionWords,
  readQuestion,
} from './question.js';
import { type Why, why, whyLines } from './why.js';

/** Names the server to ask. */
export interface AskedServer {
  readonly client: ClientOptions;
  /** The resources of the server, each once, the core group first. */
  readonly resources: readonly DiscoveredResource[];
  /** The namespace of questions without one. */
  readonly namespace: string;
  /** Returns the roles and bindings, as `readPolicy` does. A caller with many questions may keep them. */
  policy(): Promise<AccessPolicy>;
}

/** Words of a question. Without a namespace, the question is about the namespace of the connection. */
export type AskedWords = Omit<QuestionWords, 'namespace'> & { readonly namespace?: string | undefined };

/** An answer in text and in JSON, with remarks on how it was found. */
export interface AccessAnswer<Json extends object = object> {
  readonly lines: Iterable<string>;
  readonly json: Json;
  readonly remarks: readonly string[];
  /** Whether the answer is yes; true for other than yes-or-no questions. */
  readonly allowed: boolean;
}

/**
 * Finds out who may do a thing. Rejects if the server cannot be reached, or does not let the caller read its roles and
 * bindings.
 */
export async function answerWhoCan(server: AskedServer, words: AskedWords): Promise<AccessAnswer<WhoCanAnswer>> {
  const { resources, namespace } = server;
  const { question, everywhere, remarks } = readQuestion(
    { ...words, namespace: words.namespace ?? namespace },
    resources,
  );
  const { remarks: told, ...answer } = whoCan(await server.policy(), question, everywhere);
  return {
    lines: whoCanLines({ ...answer, remarks: told }),
    json: answer,
    remarks: [...remarks, ...told],
    allowed: true,
  };
}

/** Explains why a user may do a thing, or may not. Without a user, the question is about the caller. */
export async function answerWhy(
  server: AskedServer,
  words: AskedWords,
  as: string | undefined,
  groups: readonly string[],
): Promise<AccessAnswer<Why | OwnDecision>> {
  const { client, resources, namespace } = server;
  const { question, remarks } = readQuestion({ ...words, namespace: words.namespace ?? namespace }, resources);
  const user = as === undefined ? await askWhoIAm(client, resources) : askedUser(as, groups);
  if (!user) return answerWithoutUser(await askServer(client, resources, undefined, question), question, remarks);
  const [policy, decision] = await Promise.all([server.policy(), askServer(client, resources, user, question)]);
  const answer = why(policy, user, question, decision);
  const unasked = decision ? [] : ['the server does not let you ask for its decision; this answer uses roles only'];
  return { lines: whyLines(answer), json: answer, remarks: [...remarks, ...unasked], allowed: answer.allowed };
}

/** The server's decision about a caller that it does not name. */
export interface OwnDecision {
  readonly question: Question;
  readonly allowed: boolean;
  readonly reason: string;
}

/** Answers from the server's own decision. A server may say what callers may do, but not who they are. */
function answerWithoutUser(
  decision: ServerDecision | undefined,
  question: Question,
  remarks: readonly string[],
): AccessAnswer<OwnDecision> {
  if (!decision) throw new Error('the server does not say who you are; name a user with --as');
  const { allowed, reason } = decision;
  return {
    lines: [
      `${allowed ? 'allowed: you may' : 'denied: you may not'} ${describeQuestion(question)}`,
      ...(reason === '' ? [] : [`the server says: ${reason}`]),
    ],
    json: { question, allowed, reason },
    remarks: [...remarks, 'the server does not say who you are; --as <user> explains the roles of a user'],
    allowed,
  };
}

/** The parts of a matrix. Default: all. */
export interface MatrixWords {
  readonly namespace?: string | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly verbs?: readonly string[] | undefined;
  readonly system: boolean;
}

export async function answerMatrix(
  server: AskedServer,
  words: MatrixWords,
): Promise<AccessAnswer<Omit<Matrix, 'remarks' | 'resources' | 'system'>>> {
  const discovered = server.resources;
  const resources = words.resources?.map((typed) => toMatrixResource(typed, discovered));
  const { remarks, ...answer } = matrixOf(await server.policy(), {
    namespace: words.namespace ?? server.namespace,
    verbs: words.verbs ?? usualVerbs,
    resources: resources ?? matrixResources(discovered),
    system: words.system,
  });
  const { namespace, verbs, subjects } = answer;
  return {
    lines: matrixLines({ ...answer, remarks }),
    json: { namespace, verbs, subjects },
    remarks,
    allowed: true,
  };
}

function toMatrixResource(typed: string, discovered: Parameters<typeof findResource>[1]): MatrixResource {
  const { question } = readQuestion({ verb: 'get', resource: typed, namespace: '', allNamespaces: false }, discovered);
  if ('path' in question) throw new Error(`${typed}: must be a resource, not a path`);
  const { group, resource, subresource } = question;
  const [name = ''] = typed.split('/');
  return { group, resource, subresource, namespaced: findResource(name, discovered)?.scope !== 'Cluster' };
}

/**
 * Reads roles and bindings; `resources` are the server's resources. Rejects if it has no roles, or does not let the
 * caller read them.
 */
export async function readPolicy(
  client: ClientOptions,
  resources: readonly DiscoveredResource[],
): Promise<AccessPolicy> {
  const all = (plural: string): Promise<readonly JsonObject[]> => readAll(client, rbacResource(resources, plural));
  const [clusterRoles, roles, clusterBindings, bindings] = await Promise.all(
    ['clusterroles', 'roles', 'clusterrolebindings', 'rolebindings'].map(all),
  );
  return new AccessPolicy(
    [...(clusterRoles ?? []), ...(roles ?? [])],
    [...(clusterBindings ?? []), ...(bindings ?? [])].map(readBinding),
  );
}

function rbacResource(resources: readonly DiscoveredResource[], plural: string): DiscoveredResource {
  const found = resources.find((one) => one.plural === plural && one.group.startsWith('rbac.authorization.'));
  if (found) return found;
  throw new Error(`the server has no ${plural} of rbac.authorization; its rights do not come from roles`);
}

async function readAll(client: ClientOptions, resource: DiscoveredResource): Promise<readonly JsonObject[]> {
  const objects: JsonObject[] = [];
  for await (const object of createResourceClient<ApiObjectLike, unknown, string>(resource, client).each()) {
    const read: unknown = object;
    if (isObject(read)) objects.push(read);
  }
  return objects;
}

/** A subject that may do the thing, and why. */
export interface Holder extends NamedSubject {
  /** Absent for administrators, who need no role. */
  readonly binding?: PolicyObject;
  readonly role?: PolicyObject;
  /** The only names of objects that the subject may do this to; absent for all. */
  readonly resourceNames?: readonly string[];
}

export type WhoCanAnswer = Omit<WhoCan, 'remarks'>;

interface WhoCan {
  readonly question: Question;
  /** The subjects that may do it to all objects. */
  readonly subjects: readonly Holder[];
  /** The subjects that may do it to some objects only, by name. */
  readonly limited: readonly Holder[];
  readonly remarks: readonly string[];
}

/** Finds the subjects that may do the thing. With `everywhere`, rights in single namespaces count too. */
export function whoCan(policy: AccessPolicy, question: Question, everywhere: boolean): WhoCan {
  const given = policy.given(everywhere ? undefined : 'path' in question ? '' : question.namespace);
  const holders = given.flatMap((one) => holdersOf(one, question));
  return {
    question,
    subjects: [masters, ...holders.filter(({ resourceNames }) => resourceNames === undefined)],
    limited: holders.filter(({ resourceNames }) => resourceNames !== undefined),
    remarks: given.flatMap(({ binding, role }) =>
      role
        ? []
        : [
            `${placeText(objectOfBinding(binding))} gives ${placeText(placeOfRole(binding.role))}, which does not exist`,
          ],
    ),
  };
}

function holdersOf({ binding, role }: Given, question: Question): readonly Holder[] {
  // Bindings in namespaces give no rights to paths or to resources of the cluster.
  if (!role || ('path' in question && binding.namespace !== '')) return [];
  const reach = reachOf(role.rules, question);
  if (!reach) return [];
  return binding.subjects.map((subject) => ({
    ...toNamed(subject),
    binding: objectOfBinding(binding),
    role: placeOfRole(binding.role),
    ...(reach.of === 'some' ? { resourceNames: reach.names } : {}),
  }));
}

/** Prints the answer as lines of text. */
export function* whoCanLines({ subjects, limited }: WhoCan): Generator<string> {
  yield* tableLines(
    ['SUBJECT', 'GRANTED BY', 'ROLE'],
    subjects.map((holder) => [subjectText(holder), ...grantCells(holder)]),
  );
  if (limited.length === 0) return;
  yield '';
  yield 'only for some names:';
  yield* tableLines(
    ['SUBJECT', 'NAMES', 'GRANTED BY', 'ROLE'],
    limited.map((holder) => [subjectText(holder), (holder.resourceNames ?? []).join(','), ...grantCells(holder)]),
  );
}

const grantCells = ({ binding, role }: Holder): readonly string[] =>
  binding && role ? [placeText(binding), placeText(role)] : ['the server itself, always', '-'];
