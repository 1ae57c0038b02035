/** The images of the process. They come from the build; without a build, the process makes them. */
import { readFile } from 'node:fs/promises';
import type { StartOptions } from '../server/index.js';
import type { Image } from './image.js';

type NamingId = NonNullable<StartOptions['naming']>;

const known = new Map<NamingId, Promise<Image>>();

/** Returns the image of a naming. All servers of the process share it, and never change it. */
export function imageFor(naming: NamingId): Promise<Image> {
  const image = known.get(naming) ?? readImage(naming);
  known.set(naming, image);
  return image;
}

/** Returns the name of the file in which the build keeps the image of a naming. */
export const imageFile = (naming: NamingId): string => `image-${naming}.json`;

async function readImage(naming: NamingId): Promise<Image> {
  try {
    // In the build, this module is in the file of the command, so the path begins in its folder. The sources have no
    // image.
    const text = await readFile(new URL(`../testing/${imageFile(naming)}`, import.meta.url), 'utf8');
    const image: Image = JSON.parse(text);
    return image;
  } catch {
    const { makeImage } = await import('./make-image.js');
    return makeImage(naming);
  }
}
