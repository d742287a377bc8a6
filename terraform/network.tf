# A network of its own; nodes without public addresses. Google's own services (the image, logs) are reached
# privately, and nothing else is: the lessons need no internet, so there is no NAT to pay for.

resource "google_compute_network" "this" {
  name                    = var.name
  auto_create_subnetworks = false

  depends_on = [google_project_service.this]
}

resource "google_compute_subnetwork" "this" {
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
