/** The record at the end of a ZIP file without a comment. */
const END_BYTES = 22;
/** 1 January 1980, the earliest date that a ZIP file can have. The time is in the lower half. */
const DATE = 0x0021_0000;

/**
 * Sets the dates of all files in a ZIP file to the same, so that the same content is the same bytes.
 * @param zip is changed. It has no comment and is smaller than 4 GiB.
 */
export function setZipDates(zip: Buffer): void {
  const end = zip.length - END_BYTES;
  let entry = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const file = zip.readUInt32LE(entry + 42);
    zip.writeUInt32LE(DATE, file + 10);
    zip.writeUInt32LE(DATE, entry + 12);
    const [name, extra, comment] = [28, 30, 32].map((at) => zip.readUInt16LE(entry + at));
    entry += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
}
