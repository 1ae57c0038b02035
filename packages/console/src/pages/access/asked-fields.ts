/** The fields for questions about rights, by the words of the address. */

const all = {
  verb: { label: 'Verb', placeholder: 'get' },
  resource: { label: 'Resource', placeholder: 'pods, pods/log, /metrics' },
  name: { label: 'Name', placeholder: 'all' },
  ns: { label: 'Namespace', placeholder: 'default' },
  as: { label: 'User', placeholder: 'you' },
  groups: { label: 'Groups', placeholder: 'with commas between' },
  resources: { label: 'Resources', placeholder: 'all' },
  verbs: { label: 'Verbs', placeholder: 'the usual' },
} satisfies Readonly<Record<string, { readonly label: string; readonly placeholder: string }>>;

export type AskedField = keyof typeof all;

export const fieldsOf = (
  ids: readonly AskedField[],
): readonly { readonly id: AskedField; readonly label: string; readonly placeholder: string }[] =>
  ids.map((id) => ({ id, ...all[id] }));
