/** Follows the stock as a page would: with an event stream, which continues by itself after the connection breaks. */
import { EventSource } from 'undici'; // Browsers have their own EventSource.

const server = process.argv[2] ?? 'http://127.0.0.1:8080';
const source = new EventSource(`${server}/apis/shop.example.com/v1/namespaces/default/widgets?watch=true`);
const stock = new Map<string, string>();

source.addEventListener('state', (event) => {
  if ('data' in event && event.data === 'begin') stock.clear();
  else console.log(`in stock: ${[...stock.keys()].join(', ') || 'nothing'}`);
});

source.addEventListener('message', ({ data }) => {
  const { type, object } = JSON.parse(data);
  if (type === 'ERROR') return console.log(object.message);
  const { name } = object.metadata;
  if (type === 'DELETED') stock.delete(name);
  else stock.set(name, object.spec.size);
  console.log(`${type} ${name}`);
});
