/** Checks at the start that the cluster answers, and that it lets this server do what it needs. */
import { ApiError, isNotFound } from '../../client/index.js';
import { requestObject } from '../../client/requests.js';
import { OptionError } from '../option-error.js';
import { type ClusterClient, messageOf } from './cluster-client.js';
import { namespacesOf } from './namespaces.js';
import { type TrustMap, trustMapsOf, trustName, trustNamespace } from './trust-map.js';

/**
 * Returns the ConfigMap with the authorities. Rejects with an `OptionError` that names the cure, if the cluster does
 * not answer, does not accept the credentials, lacks the ConfigMap, or does not give the rights; the error then names
 * all missing rights.
 */
export async function checkRights(client: ClusterClient): Promise<TrustMap> {
  const { kubeconfig: file } = client;
  const place = file === undefined ? '' : ` by ${file}`;
  const refuse = (problem: string, cause?: unknown): OptionError =>
    new OptionError((nameOf) => `${nameOf('aggregated')}${place}: ${problem}`, { cause });
  const attempt = async <T>(request: Promise<T>): Promise<T | ApiError> => {
    try {
      return await request;
    } catch (error) {
      if (error instanceof ApiError && error.code === 403) return error;
      throw refuse(reasonOf(error, client.url), error);
    }
  };
  const map = await attempt(trustMapsOf(client).get(trustName));
  const namespaces = await attempt(namespacesOf(client).list({ limit: 1 }));
  const mayReview = await attempt(reviewsAllowed(client));
  const user = userIn([map, namespaces]);
  const missing = [
    ...(map instanceof ApiError ? [grants.trust(user)] : []),
    ...(namespaces instanceof ApiError ? grants.namespaces(user) : []),
    ...(mayReview === true ? [] : [grants.reviews(user)]),
  ];
  if (map instanceof ApiError || missing.length > 0) {
    const commands = missing.map((command) => `\n  ${command}`).join('');
    throw refuse(`the cluster ${client.url} does not let ${user.text} do what is needed; grant it:${commands}`);
  }
  return map;
}

/** Returns why a request failed, if the reason is not a missing right. */
function reasonOf(error: unknown, url: string): string {
  if (isNotFound(error)) {
    return `the cluster ${url} has no ConfigMap ${trustNamespace}/${trustName}, by which it names its proxies; start it with --requestheader-client-ca-file`;
  }
  if (error instanceof ApiError && error.code === 401) {
    return `the cluster ${url} does not accept the credentials; renew them`;
  }
  return `the cluster cannot be asked: ${messageOf(error)}; check its address, and that it runs`;
}

/** Checks that this server may create both kinds of reviews. */
async function reviewsAllowed(client: ClusterClient): Promise<boolean> {
  const reviews = [
    { group: 'authentication.k8s.io', resource: 'tokenreviews' },
    { group: 'authorization.k8s.io', resource: 'subjectaccessreviews' },
  ];
  const answers = await Promise.all(
    reviews.map((one) =>
      requestObject<{ readonly status?: { readonly allowed?: boolean } }>(client.requester, {
        method: 'POST',
        path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        body: {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: { resourceAttributes: { ...one, verb: 'create' } },
        },
      }),
    ),
  );
  return answers.every(({ status }) => status?.allowed === true);
}

/** The user of this server in the cluster, in words, and as a flag of kubectl. */
interface ClusterUser {
  readonly text: string;
  readonly flag: string;
}

/** Reads the user from the refusal of a request. */
function userIn(answers: readonly unknown[]): ClusterUser {
  const messages = answers.flatMap((one) => (one instanceof ApiError ? [one.message] : []));
  const name = messages.map((message) => /User "([^"]+)"/.exec(message)?.[1]).find((found) => found !== undefined);
  if (name === undefined) return { text: 'this server', flag: '--user=<its user>' };
  const [, account] = /^system:serviceaccount:([^:]+:[^:]+)$/.exec(name) ?? [];
  return { text: name, flag: account === undefined ? `--user=${name}` : `--serviceaccount=${account}` };
}

/** The commands that grant missing rights. */
const grants = {
  trust: ({ flag }: ClusterUser): string =>
    `kubectl create rolebinding kindforge-authentication-reader --namespace=${trustNamespace} --role=${trustName}-reader ${flag}`,
  reviews: ({ flag }: ClusterUser): string =>
    `kubectl create clusterrolebinding kindforge-auth-delegator --clusterrole=system:auth-delegator ${flag}`,
  namespaces: ({ flag }: ClusterUser): readonly string[] => [
    'kubectl create clusterrole kindforge-namespaces --verb=get,list,watch --resource=namespaces',
    `kubectl create clusterrolebinding kindforge-namespaces --clusterrole=kindforge-namespaces ${flag}`,
  ],
};
