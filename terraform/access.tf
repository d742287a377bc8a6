# The image's home, who the nodes are, and what learners may do: reach the cluster, nothing more.

resource "google_project_service" "this" {
  for_each = toset(["artifactregistry", "compute", "container", "iam"])

  service            = "${each.key}.googleapis.com"
  disable_on_destroy = false
}

resource "google_artifact_registry_repository" "this" {
  # checkov:skip=CKV_GCP_84:the image holds free software and lessons, no secrets
  repository_id = var.name
  location      = local.region
  format        = "DOCKER"
  description   = "The tutor's image."
  labels        = local.labels

  docker_config {
    immutable_tags = true
  }

  depends_on = [google_project_service.this]
}

resource "google_service_account" "nodes" {
  account_id   = "${var.name}-nodes"
  display_name = "Nodes of ${var.name}"

  depends_on = [google_project_service.this]
}

# What a node needs to log and to be watched.
resource "google_project_iam_member" "nodes" {
  for_each = toset(["roles/container.defaultNodeServiceAccount"])

  project = var.project_id
  role    = each.key
  member  = google_service_account.nodes.member
}

# To pull from this one repository.
resource "google_artifact_registry_repository_iam_member" "nodes" {
  repository = google_artifact_registry_repository.this.repository_id
  location   = local.region
  role       = "roles/artifactregistry.reader"
  member     = google_service_account.nodes.member
}

# GKE allows what IAM *or* RBAC allows: roles/container.developer would let each learner into every Pod.
resource "google_project_iam_custom_role" "learner" {
  role_id     = "${replace(var.name, "-", "_")}_learner"
  title       = "Learner of ${var.name}"
  description = "May find and reach the cluster. What happens inside, the cluster's own Roles say."
  permissions = ["container.clusters.connect", "container.clusters.get"]

  depends_on = [google_project_service.this]
}

resource "google_project_iam_member" "learners" {
  for_each = var.learner_members

  project = var.project_id
  role    = google_project_iam_custom_role.learner.id
  member  = each.key
}
