/** Keeps account of how far each file of a plan is, and tells it when it is worth telling. */
import { type DownloadState, type OfferedPack, toCoordinate } from './types.ts';

export interface Downloads {
  /** `bytes` of this file are here; told when another hundredth of it is. */
  move(name: string, bytes: number): void;
  /** Nothing more will come of it. */
  finish(name: string, success: boolean): void;
}

/** Account of `packs`, told to `onDownloads` as a whole each time. */
export function createDownloads(
  packs: readonly OfferedPack[],
  onDownloads: (files: readonly DownloadState[]) => void,
): Downloads {
  const states = new Map<string, DownloadState>(
    packs.map(({ id, version, size }) => {
      const name = toCoordinate(id, version);
      const none = { totalBytes: size, downloadedBytes: 0, started: false, finished: false, success: false };
      return [name, { name, ...none }];
    }),
  );
  const change = (name: string, changes: Partial<DownloadState>): void => {
    states.set(name, { ...states.get(name)!, ...changes });
    onDownloads([...states.values()]);
  };
  const percent = (bytes: number, { totalBytes }: DownloadState): number => Math.floor((bytes * 100) / totalBytes);
  return {
    move: (name, bytes) => {
      const state = states.get(name)!;
      if (state.started && percent(bytes, state) === percent(state.downloadedBytes, state)) return;
      change(name, { started: true, downloadedBytes: bytes });
    },
    finish: (name, success) => {
      const { totalBytes, downloadedBytes } = states.get(name)!;
      change(name, { started: true, finished: true, success, downloadedBytes: success ? totalBytes : downloadedBytes });
    },
  };
}
