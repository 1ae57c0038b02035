/** Starts servers with the widgets that the programs of other languages order, in both forms of a definition. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type ListeningServer, startServing } from '../../../test/support/serving.js';
import { root } from '../../../test/support/shared.js';

/** The folder of the tests of other languages. */
export const languages = join(root, 'packages/interop/languages');

/** The forms of a definition. The second is created while the server runs. */
export const forms = ['ResourceDefinition', 'CustomResourceDefinition'] as const;

/** Starts a server with Kubernetes names and the widgets in a form. */
export async function startWithWidgets(form: (typeof forms)[number]): Promise<ListeningServer> {
  if (form === 'ResourceDefinition') {
    return startServing({ naming: 'kubernetes', schemas: join(root, 'examples/shop/schemas') });
  }
  const running = await startServing({ naming: 'kubernetes' });
  const definitions = `${running.url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`;
  const body = JSON.stringify(parse(readFileSync(join(languages, 'widgets-crd.yaml'), 'utf8')));
  const created = await fetch(definitions, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!created.ok) throw new Error(await created.text());
  const document = `${running.url}/openapi/v3/apis/shop.example.com/v1`;
  for (let answer = await fetch(document); !answer.ok; answer = await fetch(document)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return running;
}
