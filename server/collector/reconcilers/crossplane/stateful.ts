import type { ObjectRef } from '#lib/domain/observation/ref.ts';

/**
 * Kinds of managed resources that hold data, by the service in their group (s3.aws.upbound.io, s3.aws.m.upbound.io -> s3).
 * Names are those of the provider families of AWS, Google Cloud and Azure.
 */
const holders: { readonly [service: string]: readonly string[] } = {
  s3: ['Bucket', 'DirectoryBucket'],
  storage: ['Bucket', 'Account', 'Container', 'Share', 'Table', 'Queue'],
  rds: ['Instance', 'Cluster', 'GlobalCluster', 'ClusterInstance', 'DBInstance', 'DBCluster'],
  database: ['RDSInstance', 'CloudSQLInstance', 'PostgreSQLServer', 'MySQLServer'],
  sql: ['DatabaseInstance', 'Database', 'MSSQLServer', 'MSSQLDatabase', 'MSSQLManagedInstance', 'MSSQLManagedDatabase'],
  dynamodb: ['Table', 'GlobalTable'],
  docdb: ['Cluster', 'ClusterInstance', 'GlobalCluster'],
  neptune: ['Cluster', 'ClusterInstance'],
  redshift: ['Cluster'],
  elasticache: ['Cluster', 'ReplicationGroup', 'GlobalReplicationGroup', 'ServerlessCache'],
  memorydb: ['Cluster'],
  opensearch: ['Domain'],
  elasticsearch: ['Domain'],
  efs: ['FileSystem'],
  fsx: ['LustreFileSystem', 'OntapFileSystem', 'WindowsFileSystem', 'OpenzfsFileSystem'],
  ec2: ['EBSVolume', 'EBSSnapshot'],
  ecr: ['Repository'],
  kafka: ['Cluster', 'ServerlessCluster'],
  kinesis: ['Stream'],
  sqs: ['Queue'],
  timestreamwrite: ['Database', 'Table'],
  kms: ['Key'],
  secretsmanager: ['Secret'],
  spanner: ['Instance', 'Database'],
  bigquery: ['Dataset', 'Table'],
  bigtable: ['Instance', 'Table'],
  alloydb: ['Cluster', 'Instance'],
  firestore: ['Database'],
  redis: ['Instance', 'Cluster'],
  filestore: ['Instance'],
  compute: ['Disk', 'RegionDisk', 'ManagedDisk', 'Snapshot'],
  cosmosdb: ['Account', 'SQLDatabase', 'SQLContainer', 'MongoDatabase', 'MongoCollection'],
  documentdb: ['Account'],
  dbforpostgresql: ['FlexibleServer', 'FlexibleServerDatabase', 'Server', 'Database'],
  dbformysql: ['FlexibleServer', 'FlexibleDatabase', 'Server', 'Database'],
  dbformariadb: ['Server', 'Database'],
  cache: ['RedisCache', 'ReplicationGroup'],
  keyvault: ['Vault', 'Key', 'Secret'],
  eventhub: ['EventHub', 'EventHubNamespace'],
};

/** True if a managed resource of this kind holds data that its deletion would destroy. */
export function isStateful(ref: ObjectRef): boolean {
  const dot = ref.group.indexOf('.');
  const service = dot < 0 ? ref.group : ref.group.slice(0, dot);
  return holders[service]?.includes(ref.kind) ?? false;
}
