import { redirect } from 'next/navigation';

/** The fleet is the list of clusters. */
export default function ClustersPage(): never {
  redirect('/');
}
