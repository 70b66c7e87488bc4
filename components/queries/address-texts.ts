/** Parameters of a page's address, as Next gives them. */
export type AddressParams = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The text of a parameter; '' where it is not there, or there twice. */
export function textOf(params: AddressParams, name: string): string {
  const value = params[name];
  return typeof value === 'string' ? value : '';
}

/** The texts of these parameters; '' also for what `reads` refuses, such as a verdict that there is not. */
export function addressTexts<Name extends string>(
  names: readonly Name[],
  params: AddressParams,
  reads?: (part: Readonly<Record<string, string>>) => boolean,
): Readonly<Record<Name, string>>;
export function addressTexts(
  names: readonly string[],
  params: AddressParams,
  reads: (part: Readonly<Record<string, string>>) => boolean = () => true,
): Readonly<Record<string, string>> {
  const texts = names.map((name) => [name, textOf(params, name)] as const);
  return Object.fromEntries(texts.map(([name, text]) => [name, reads({ [name]: text }) ? text : '']));
}
