/** Compiles modules with runes for unit tests, as a build does. The modules must be JavaScript already. */
import type { Plugin } from 'vite';

/** For the configuration of Vite. */
export const runes: Plugin = {
  name: 'runes',
  enforce: 'post',
  async transform(code, id) {
    if (!id.endsWith('.svelte.ts')) return undefined;
    // Loading the compiler takes 0.3 s, and most runs do not need it.
    const { compileModule } = await import('svelte/compiler');
    return compileModule(code, { filename: id, generate: 'client' }).js;
  },
};
