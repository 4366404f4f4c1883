/** The pixel in the corner of the page that says which shape the painted frame belongs to. */
import { MARKER_RED, MAX_GENERATION } from '../server/protocol/window.ts';

/** 1 to `MAX_GENERATION`, and round again. */
export const nextGeneration = (generation: number): number => (generation % MAX_GENERATION) + 1;

export const markerColour = (generation: number): string =>
  `rgb(${MARKER_RED} ${generation >> 8} ${generation & 0xff})`;

/** Puts the marker above everything; the function it returns shows a generation on it, from the next frame on. */
export function createMarker(): (generation: number) => void {
  const marker = document.createElement('i');
  marker.className = 'marker';
  marker.setAttribute('aria-hidden', 'true');
  // Beside the body: the part of the page that has room may be smaller than the page.
  document.documentElement.append(marker);
  return (generation) => {
    marker.style.backgroundColor = markerColour(generation);
  };
}
