/** A file of a character that could not be had, or is no picture. */
export class FileTrouble extends Error {
  override readonly name = 'FileTrouble';
  /** Its name in the pack. */
  readonly file: string;
  constructor(file: string, cause: unknown) {
    super(`${file} cannot be used`, { cause });
    this.file = file;
  }
}
