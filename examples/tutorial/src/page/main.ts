/** Lists databases, follows each change, and changes them. */
import { isForbidden, isUnauthorized, observeObjects } from 'kindforge/client';
import { createClient } from '../../generated/client.js';
import type { Database } from '../../generated/data.example.com/v1/index.js';

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

let token: string | undefined;
const api = createClient({ baseUrl: '/', naming: 'kubernetes', token: () => token });
const databases = api.data.v1.databases.in('default');

observeObjects(api.data.v1.databases, { namespace: 'default' }).subscribe(({ objects, error }) => {
  element('list').replaceChildren(...objects.map(row));
  show(error);
});

/** Makes the row of a database, with one button for more space and one for deletion. */
function row({ metadata: { name = '' }, spec, status }: Database): HTMLElement {
  const item = document.createElement('li');
  item.append(`${name}: ${spec.engine}, ${spec.sizeGb} GB, ${status?.host ?? 'on its way'} `);
  item.append(button('Grow', () => databases.patch(name, { spec: { sizeGb: Number(spec.sizeGb) + 10 } })));
  item.append(button('Delete', () => databases.delete(name)));
  return item;
}

function button(text: string, act: () => Promise<unknown>): HTMLElement {
  const made = document.createElement('button');
  made.textContent = text;
  made.onclick = () => act().then(() => show(undefined), show);
  return made;
}

/** Shows why a request failed. Asks for a token if the server needs credentials. */
function show(error: Error | undefined): void {
  element('problem').textContent = error?.message ?? '';
  element('sign-in').hidden = !isUnauthorized(error) && !isForbidden(error);
}

element<HTMLFormElement>('sign-in').onsubmit = (event) => {
  event.preventDefault();
  token = String(new FormData(element<HTMLFormElement>('sign-in')).get('token'));
};

element<HTMLFormElement>('order').onsubmit = (event) => {
  event.preventDefault();
  const form = new FormData(element<HTMLFormElement>('order'));
  const engine = form.get('engine') === 'mysql' ? 'mysql' : 'postgres';
  const order = { metadata: { name: String(form.get('name')) }, spec: { engine } } as const;
  databases.create(order).then(() => show(undefined), show);
};
