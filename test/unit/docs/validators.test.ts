/** The validators of docs/validators.md, in the libraries that accept them. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadDefinitions } from '../../../generator/check/load-definitions.js';
import { filesIn } from '../../support/scratch-folder.js';
import { root } from '../../support/shared.js';
import { emit } from '../generator/emit/emitting.js';

// The examples import generated code from the page's commands, so they run in a folder with that code. The folder is
// inside the checkout, because the examples also import libraries.
mkdirSync(join(root, '.kindforge'), { recursive: true });
const folder = mkdtempSync(join(root, '.kindforge/validators-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = filesIn(folder);
for (const [path, content] of emit(loadDefinitions('examples/shop/schemas').model)) {
  write(join('shop/generated', path), content);
}
for (const name of readdirSync('examples/validators').filter((file) => file.endsWith('.ts'))) {
  write(join('validators', name), readFileSync(join('examples/validators', name), 'utf8'));
}
const packages = join(root, 'examples/validators/node_modules');
const hasPackages = existsSync(packages);
const whyNot = hasPackages ? '' : ' (skipped: `npm run install:all` installs it)';
if (hasPackages) symlinkSync(packages, join(folder, 'validators/node_modules'));

const load = (name: string) => import(join(folder, 'validators', `${name}.ts`));

describe.each(hasPackages ? ['h3', 'hono'] : ['h3'])('%s', (name) => {
  it('accepts valid orders, with their defaults, and refuses others', async () => {
    const { app } = await load(name);
    const order = (spec: object): Promise<Response> =>
      app.request('/orders', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ spec }),
      });
    expect(await (await order({ size: 'small' })).text()).toBe('1 small');
    const refused = await order({ size: 'huge' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('Unsupported value');
  });
});

describe.skipIf(!hasPackages)(`tRPC${whyNot}`, () => {
  it('accepts valid orders, with their defaults, and refuses others', async () => {
    const { orders } = await load('trpc');
    const caller = orders.createCaller({});
    expect(await caller.place({ spec: { size: 'large', count: 3 } })).toBe('3 large');
    await expect(caller.place({ spec: { size: 'huge' } })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe.skipIf(!hasPackages)(`a form${whyNot}`, () => {
  it('shows errors at each field', async () => {
    const { openForm } = await load('form');
    const { validateWidget } = await import(join(folder, 'shop/generated/shop.example.com/v1/widgets/validator.ts'));
    const order = {
      apiVersion: 'shop.example.com/v1',
      kind: 'Widget',
      metadata: {},
      spec: { size: 'small', count: 1 },
    };
    expect(validateWidget(order)).toEqual([]);
    const form = openForm(order);
    form.setFieldValue('spec.count', -1);
    expect(JSON.stringify(form.state.errors)).toContain('must be greater than or equal to 0');
    form.setFieldValue('spec.count', 2);
    expect(form.state.errors.filter((error: unknown) => error !== undefined)).toEqual([]);
  });
});
