/** Links the packages of drivers in `packages/interop` into the folder of the product, for tests of drivers. */
import { rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../packages/interop/node_modules/@libsql', import.meta.url));
const link = fileURLToPath(new URL('../../node_modules/@libsql', import.meta.url));
rmSync(link, { recursive: true, force: true });
// A junction needs no rights on Windows; other systems make a plain link.
symlinkSync(packages, link, 'junction');
