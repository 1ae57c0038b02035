/** Compiles modules with runes for unit tests, as a build does. The modules must be JavaScript already. */
import { compileModule } from 'svelte/compiler';
import type { Plugin } from 'vite';

/** For the configuration of Vite. */
export const runes: Plugin = {
  name: 'runes',
  enforce: 'post',
  transform: (code, id) =>
    id.endsWith('.svelte.ts') ? compileModule(code, { filename: id, generate: 'client' }).js : undefined,
};
