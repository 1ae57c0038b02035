/** A transport of the SDK that answers by path, without a server. */
import type { Transport } from '../../client/index.js';

/** Answers a path with a document, or with a code and a text. Other paths get a 404. */
export const answering = (bodyOf: (path: string) => object | number | undefined): Transport => ({
  async send({ path }) {
    const body = bodyOf(path) ?? 404;
    const isCode = typeof body === 'number';
    const text = isCode ? 'no answer\n' : JSON.stringify(body);
    return {
      status: isCode ? body : 200,
      header: () => '',
      text: async () => text,
      async *chunks() {
        yield Buffer.from(text);
      },
    };
  },
});

/** Makes the document of `/apis` of groups with the version `v1`. */
export const groupListOf = (...names: readonly string[]): object => ({
  groups: names.map((name) => {
    const version = { groupVersion: `${name}/v1` };
    return { name, versions: [version], preferredVersion: version };
  }),
});

/** Makes an APIResourceList with one resource. */
export const resourceListOf = (groupVersion: string, name: string, verbs: readonly string[] = ['get']): object => ({
  groupVersion,
  resources: [{ name, kind: name, namespaced: true, verbs }],
});
