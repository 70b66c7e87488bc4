import { spansBehind, type Finder } from './span.ts';

/** `curl -u user:password`, `sshpass -p password`. */
const options =
  /((?:\s(?:-[uU]|--(?:proxy-)?user)[ =]["']?[^\s:"']{1,64}["']?:|\bsshpass\s{1,3}-p\s{0,3}))(?:"[^"]{1,500}"?|'[^']{1,500}'?|[^\s"']{1,500})/g;

/** `mysqladmin -ppassword`: with a space between it asks for one. */
const ofMysql =
  /(\b(?:mysql|mariadb)[\w-]{0,16}(?:[ \t]{1,3}[^\s|]{1,64}){0,12}?[ \t]{1,3}-p)(?:"[^"]{1,500}"?|'[^']{1,500}'?|[^\s"']{1,500})/g;

/** `redis-cli -a x`, `docker login -p x`, `ldapsearch -w x`: an option whose letter says nothing without its program. */
const ofPrograms =
  /((?:\bredis-cli(?:[ \t]{1,3}[^\s|]{1,128}){0,12}?[ \t]{1,3}-a|\b(?:docker|podman|nerdctl|buildah|skopeo|oras|helm|registry|crane|auth)[ \t]{1,3}login(?:[ \t]{1,3}[^\s|]{1,128}){0,12}?[ \t]{1,3}-p|\bldap[a-z]{3,10}(?:[ \t]{1,3}[^\s|]{1,128}){0,12}?[ \t]{1,3}-w|\bmongo[a-z]{0,8}(?:[ \t]{1,3}[^\s|]{1,128}){0,12}?[ \t]{1,3}-p|\bunzip(?:[ \t]{1,3}[^\s|]{1,128}){0,12}?[ \t]{1,3}-P)[ \t=]{1,3})(?:"[^"]{1,500}"?|'[^']{1,500}'?|[^\s"']{1,500})/g;

/** `kubectl create secret generic x --from-literal=a=x`. */
const literal = /(--from-literal[ =]["']?[\w.-]{1,253}=)(?:"[^"]{1,500}"?|'[^']{1,500}'?|[^\s"']{1,500})/g;

/** `ConvertTo-SecureString "x"`. */
const secureString = /(ConvertTo-SecureString(?: -String)? )(?:"[^"]{1,500}"?|'[^']{1,500}'?)/gi;

/** Secrets in the arguments of programs. */
export const commandLines: readonly Finder[] = [
  {
    words: [' -u', '--user', '--proxy-user', 'sshpass'],
    find: (text) => spansBehind(text, options, (found) => !/^\d+$/.test(found)),
  },
  { words: ['mysql', 'mariadb'], find: (text) => spansBehind(text, ofMysql) },
  { words: ['redis-cli', ' login', 'ldap', 'mongo', 'unzip'], find: (text) => spansBehind(text, ofPrograms) },
  { words: ['securestring'], find: (text) => spansBehind(text, secureString) },
  { words: ['--from-literal'], find: (text) => spansBehind(text, literal) },
];
