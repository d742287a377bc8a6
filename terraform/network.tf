# A network of its own; nodes without public addresses. Google's own services (the image, logs) are reached
# privately, and nothing else is: the lessons need no internet, so there is no NAT to pay for.

resource "google_compute_network" "this" {
  # checkov:skip=CKV2_GCP_18:no rule lets anything in but those GKE makes, and the nodes have no public address
  name                    = var.name
  auto_create_subnetworks = false

  depends_on = [google_project_service.this]
}

resource "google_compute_subnetwork" "this" {
  # checkov:skip=CKV_GCP_26:flow logs are paid for by the line; Pods here may talk to nobody
  name                     = var.name
  network                  = google_compute_network.this.id
  region                   = local.region
  ip_cidr_range            = "10.0.0.0/22"
  private_ip_google_access = true

  secondary_ip_range {
    range_name    = "pods"
    ip_cidr_range = "10.4.0.0/16"
  }

  secondary_ip_range {
    range_name    = "services"
    ip_cidr_range = "10.8.0.0/22"
  }
}
