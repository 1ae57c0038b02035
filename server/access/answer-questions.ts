/** Answers the questions of `kindforge access` about a running server. */
import { discoverResources } from '../../client/index.js';
import { askServer, askWhoIAm, type ServerDecision } from './ask-server.js';
import { askedUser } from './asked-user.js';
import { connectTo, type ServerChoice } from './connection.js';
import { type MatrixResource, matrixLines, matrixOf, matrixResources, usualVerbs } from './matrix.js';
import { describeQuestion, findResource, type Question, type QuestionWords, readQuestion } from './question.js';
import { readPolicy } from './read-policy.js';
import { whoCan, whoCanLines } from './who-can.js';
import { why, whyLines } from './why.js';

/** Words of a question; the namespace is that of the connection where none is named. */
export type AskedWords = Omit<QuestionWords, 'namespace'> & { readonly namespace?: string | undefined };

/** An answer in text and in JSON, with notes on how it came to be. */
export interface AccessAnswer {
  readonly lines: Iterable<string>;
  readonly json: object;
  readonly remarks: readonly string[];
  /** Whether what was asked about is allowed; true where nothing like that was asked. */
  readonly allowed: boolean;
}

/** Rejects where the server cannot be reached, or does not let the caller read its roles and bindings. */
export async function answerWhoCan(server: ServerChoice, words: AskedWords): Promise<AccessAnswer> {
  const { client, namespace } = connectTo(server);
  const resources = await discoverResources(client);
  const { question, everywhere, remarks } = readQuestion(
    { ...words, namespace: words.namespace ?? namespace },
    resources,
  );
  const { remarks: told, ...answer } = whoCan(await readPolicy(client, resources), question, everywhere);
  return {
    lines: whoCanLines({ ...answer, remarks: told }),
    json: answer,
    remarks: [...remarks, ...told],
    allowed: true,
  };
}

/** Without a user, the question is about the caller. */
export async function answerWhy(
  server: ServerChoice,
  words: AskedWords,
  as: string | undefined,
  groups: readonly string[],
): Promise<AccessAnswer> {
  const { client, namespace } = connectTo(server);
  const resources = await discoverResources(client);
  const { question, remarks } = readQuestion({ ...words, namespace: words.namespace ?? namespace }, resources);
  const user = as === undefined ? await askWhoIAm(client, resources) : askedUser(as, groups);
  if (!user) return answerWithoutUser(await askServer(client, resources, undefined, question), question, remarks);
  const [policy, decision] = await Promise.all([
    readPolicy(client, resources),
    askServer(client, resources, user, question),
  ]);
  const answer = why(policy, user, question, decision);
  const unasked = decision ? [] : ['the server does not let you ask for its decision; this one is by roles alone'];
  return { lines: whyLines(answer), json: answer, remarks: [...remarks, ...unasked], allowed: answer.allowed };
}

/** The server says what callers may do even where it does not say who they are. */
function answerWithoutUser(
  decision: ServerDecision | undefined,
  question: Question,
  remarks: readonly string[],
): AccessAnswer {
  if (!decision) throw new Error('the server does not say who you are; name a user with --as');
  const { allowed, reason } = decision;
  return {
    lines: [
      `${allowed ? 'allowed: you may' : 'denied: you may not'} ${describeQuestion(question)}`,
      ...(reason === '' ? [] : [`the server says: ${reason}`]),
    ],
    json: { question, allowed, reason },
    remarks: [...remarks, 'the server does not say who you are; --as <user> has the roles of a user explained'],
    allowed,
  };
}

/** The parts of a matrix that are named; all where they are not. */
export interface MatrixWords {
  readonly namespace?: string | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly verbs?: readonly string[] | undefined;
  readonly system: boolean;
}

export async function answerMatrix(server: ServerChoice, words: MatrixWords): Promise<AccessAnswer> {
  const connection = connectTo(server);
  const { client } = connection;
  const discovered = await discoverResources(client);
  const resources = words.resources?.map((typed) => toMatrixResource(typed, discovered));
  const { remarks, ...answer } = matrixOf(await readPolicy(client, discovered), {
    namespace: words.namespace ?? connection.namespace,
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
  if ('path' in question) throw new Error(`${typed} is a path; a matrix is of resources`);
  const { group, resource, subresource } = question;
  const [name = ''] = typed.split('/');
  return { group, resource, subresource, namespaced: findResource(name, discovered)?.scope !== 'Cluster' };
}
