output "registry" {
  description = "Where the image goes."
  value       = local.registry
}

output "learners" {
  description = "For how many learners this is."
  value       = var.learners
}

output "learners_per_gpu" {
  description = "How many of them share one L4."
  value       = var.learners_per_gpu
}

output "gpu_nodes" {
  description = "How many GPU nodes there can be at most: what the quota must allow, in L4s and in GPUS_ALL_REGIONS."
  value       = { nodes = local.gpu_nodes, gpus = local.gpu_nodes * local.gpus_per_node }
}

output "next" {
  description = "What to type now."
  value       = <<-TEXT
    ${local.credentials}
    gcloud auth configure-docker ${local.region}-docker.pkg.dev
    docker build --platform linux/amd64 -f deploy/Dockerfile -t ${local.registry}/jittutor:1 . && docker push ${local.registry}/jittutor:1
    deploy/workshop up ${local.is_class ? "workshop" : "gpu"} --image ${local.registry}/jittutor@sha256:…${local.is_class ? " --roster roster.txt --learners-per-gpu ${var.learners_per_gpu}" : ""}
    deploy/learn
  TEXT
}

output "learner" {
  description = "What a learner types on their own machine, with gcloud, its gke-gcloud-auth-plugin, kubectl and the file deploy/learn."
  value       = <<-TEXT
    gcloud auth login
    ${local.credentials}
    deploy/learn
  TEXT
}

output "last" {
  description = "What to type at the end, in this order; the third command must say that nothing is left."
  value       = <<-TEXT
    deploy/workshop down
    terraform -chdir=terraform destroy
    deploy/leftovers ${var.project_id} ${var.name} ${local.region}
  TEXT
}

locals {
  credentials = "gcloud container clusters get-credentials ${var.name} --location ${var.zone} --project ${var.project_id} --dns-endpoint"

  registry = "${local.region}-docker.pkg.dev/${var.project_id}/${google_artifact_registry_repository.this.repository_id}"
}
