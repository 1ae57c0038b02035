/** Prints a line for a password file: `npx tsx examples/authentication/add-user.ts NAME PASSWORD [GROUPS]`. */
import { randomBytes } from 'node:crypto';
import { passwordLine } from './passwords.js';

const [name = '', password = '', groups = ''] = process.argv.slice(2);
console.log(await passwordLine(name, password, randomBytes(16), groups));
