/** Places where no data directory can be, and what is said of each after its path; FOLDER holds a file called `file`. */
export const hostileDataDirectories: readonly (readonly [what: string, path: string, said: string])[] = [
  ['a file', 'FOLDER/file', 'is a file, not a folder'],
  ['a folder in a file', 'FOLDER/file/data', 'cannot be made: something on the way to it is a file'],
  ['a folder of the kernel', '/proc/x', 'cannot be made (ENOENT)'],
  ['a device', '/dev/null', 'is a file, not a folder'],
];
