/** Every number that bounds a character pack, with its unit in the name. Published in docs/pack-format.md. */

const KIB = 1_024;
const MIB = 1_024 * KIB;

export const PACK_LIMITS = {
  /** Bytes of `character.json`. */
  maxManifestBytes: 64 * KIB,
  /** How deep objects and lists of a manifest may stand in each other; its own are fewer, a vendor's data could be more. */
  maxManifestDepth: 16,

  /** Bytes of a zip. */
  maxArchiveBytes: 64 * MIB,
  /** Files and folders in a zip, those that are not taken included. */
  maxArchiveEntries: 4_096,
  /** Bytes of all that a zip unpacks to. */
  maxUnpackedBytes: 256 * MIB,
  /** Unpacked bytes to packed ones, of one entry. */
  maxEntryRatio: 200,

  maxImages: 16,
  maxImageBytes: 32 * MIB,
  maxImageSidePx: 8_192,
  /** Pixels of one image. */
  maxImagePixels: 32_000_000,
  /** Pixels of all images of a pack together: 256 MB once they are decoded. */
  maxPackPixels: 64_000_000,
  maxCanvasSidePx: 1_024,

  maxClips: 256,
  maxFramesPerClip: 256,
  maxFrames: 2_048,
  minFrameMs: 20,
  maxFrameMs: 60_000,

  maxSounds: 32,
  maxSoundBytes: 512 * KIB,

  /** Bytes of a licence or another text that travels with the pack. */
  maxNoticeBytes: 256 * KIB,
} as const;
